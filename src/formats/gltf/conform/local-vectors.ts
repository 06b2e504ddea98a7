/** Vectors of extensions that are given in the axes of a node: they turn with these. VRM 0.x, VRM 1.0, VRMC_springBone and its colliders. */
import { isNoTurn } from '../../../core/conform/canonical-turns.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../schema.ts';
import type { Frames } from './plan-frames.ts';

/** Turns a vector of a node's old axes into its new ones; null where they are the same. */
type TurnOf = (node: unknown) => ((x: number, y: number, z: number) => [number, number, number]) | null;

function turnOf({ forest, changes, wraps }: Frames): TurnOf {
  return (node) => {
    const place = typeof node === 'number' ? forest.places[node] : undefined;
    if (place === undefined || wraps.has(place) || isNoTurn(changes[place].axes, 0)) return null;
    const inverse = new Float64Array(4);
    quat.conjugate(inverse, 0, changes[place].axes, 0);
    return (x, y, z) => {
      const out = new Float64Array(3);
      vec3.rotate(out, 0, inverse, 0, [x, y, z], 0);
      return [out[0] + 0, out[1] + 0, out[2] + 0];
    };
  };
}

function members(value: unknown, key: string): readonly unknown[] {
  const list = isObject(value) ? memberAt(value, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function numberAt(object: JsonObject, key: string): number {
  const value = memberAt(object, key);
  return typeof value === 'number' ? value : 0;
}

/** A vector of VRM 0.x: an object, its z the other way round than in glTF (UniVRM mirrors Unity's axes along z). */
function turnVrm0(owner: unknown, key: string, turn: ReturnType<TurnOf>): void {
  const vector = isObject(owner) ? memberAt(owner, key) : undefined;
  if (turn === null || !isObject(vector)) return;
  const [x, y, z] = turn(numberAt(vector, 'x'), numberAt(vector, 'y'), -numberAt(vector, 'z'));
  Object.assign(vector, { x, y, z: -z + 0 });
}

/** A vector of VRM 1.0: three numbers in the axes of glTF. */
function turnVrm1(owner: unknown, key: string, turn: ReturnType<TurnOf>): void {
  const vector = isObject(owner) ? memberAt(owner, key) : undefined;
  if (turn === null || !isObject(owner) || !Array.isArray(vector) || vector.length !== 3) return;
  if (!vector.every((value) => typeof value === 'number')) return;
  owner[key] = turn(vector[0], vector[1], vector[2]);
}

function turnShape(shape: unknown, turn: ReturnType<TurnOf>): void {
  if (!isObject(shape)) return;
  for (const kind of ['sphere', 'capsule', 'plane']) {
    for (const key of ['offset', 'tail', 'normal']) turnVrm1(memberAt(shape, kind), key, turn);
  }
}

function turnSpringBones(extension: unknown, turns: TurnOf): void {
  for (const collider of members(extension, 'colliders')) {
    if (!isObject(collider)) continue;
    const turn = turns(memberAt(collider, 'node'));
    turnShape(memberAt(collider, 'shape'), turn);
    const extensions = memberAt(collider, 'extensions');
    const extended = isObject(extensions) ? memberAt(extensions, 'VRMC_springBone_extended_collider') : undefined;
    if (isObject(extended)) turnShape(memberAt(extended, 'shape'), turn);
  }
}

function turnVrm0Extension(vrm: unknown, turns: TurnOf): void {
  const springs = isObject(vrm) ? memberAt(vrm, 'secondaryAnimation') : undefined;
  for (const group of members(springs, 'colliderGroups')) {
    const turn = turns(isObject(group) ? memberAt(group, 'node') : undefined);
    for (const collider of members(group, 'colliders')) turnVrm0(collider, 'offset', turn);
  }
  const first = isObject(vrm) ? memberAt(vrm, 'firstPerson') : undefined;
  if (isObject(first)) turnVrm0(first, 'firstPersonBoneOffset', turns(memberAt(first, 'firstPersonBone')));
}

/** Nodes of the bones in the humanoid of a VRM become the new nodes of wrapped bones. */
function renameBones(vrm: unknown, { forest, wraps }: Frames): void {
  const humanoid = isObject(vrm) ? memberAt(vrm, 'humanoid') : undefined;
  const bones = isObject(humanoid) ? memberAt(humanoid, 'humanBones') : undefined;
  if (!isObject(bones) && !Array.isArray(bones)) return;
  for (const bone of Object.values(bones)) {
    const node = isObject(bone) ? memberAt(bone, 'node') : undefined;
    const wrap = typeof node === 'number' ? wraps.get(forest.places[node]) : undefined;
    if (wrap !== undefined) (bone as JsonObject)['node'] = wrap.node;
  }
}

/** Constraints that follow or turn bones with new axes; their axes are names, which cannot turn. */
function reportConstraints(doc: GltfDocument, turns: TurnOf, issues: Issue[]): void {
  const touched: string[] = [];
  arrayAt(doc.json, 'nodes', '').forEach((node, index) => {
    const extensions = isObject(node) ? memberAt(node, 'extensions') : undefined;
    const extension = isObject(extensions) ? memberAt(extensions, 'VRMC_node_constraint') : undefined;
    const constraint = isObject(extension) ? memberAt(extension, 'constraint') : undefined;
    if (!isObject(constraint)) return;
    const sources = Object.values(constraint).map((kind) => (isObject(kind) ? memberAt(kind, 'source') : undefined));
    if ([index, ...sources].some((one) => turns(one) !== null)) touched.push(`/nodes/${index}`);
  });
  if (touched.length === 0) return;
  const message = `${touched.length} constraints (VRMC_node_constraint) follow or turn bones that have other axes now; check them`;
  issues.push(issue('DEFINE_CONSTRAINT', message, { pointer: touched[0] }));
}

/**
 * Turns what VRM extensions say in the axes of bones, so that it is where it was: colliders of springs, the point between the eyes. Their humanoid
 * gets the new nodes of wrapped bones. Issue DEFINE_CONSTRAINT for constraints, which cannot be turned.
 */
export function turnLocalVectors(doc: GltfDocument, frames: Frames, issues: Issue[]): void {
  const turns = turnOf(frames);
  const root = memberAt(doc.json, 'extensions');
  if (isObject(root)) {
    const vrm1 = memberAt(root, 'VRMC_vrm');
    turnVrm0Extension(memberAt(root, 'VRM'), turns);
    turnSpringBones(memberAt(root, 'VRMC_springBone'), turns);
    if (isObject(vrm1)) turnVrm1(memberAt(vrm1, 'lookAt'), 'offsetFromHeadBone', turns(headOf(vrm1)));
    renameBones(memberAt(root, 'VRM'), frames);
    renameBones(vrm1, frames);
  }
  reportConstraints(doc, turns, issues);
}

function headOf(vrm: JsonObject): unknown {
  const humanoid = memberAt(vrm, 'humanoid');
  const bones = isObject(humanoid) ? memberAt(humanoid, 'humanBones') : undefined;
  const head = isObject(bones) ? memberAt(bones, 'head') : undefined;
  return isObject(head) ? memberAt(head, 'node') : undefined;
}
