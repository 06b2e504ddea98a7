/**
 * Rotates vectors of VRM extensions that are stored in the local axes of a bone: VRM 0.x, VRM 1.0, VRMC_springBone and
 * its colliders.
 */
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import type { Frames } from './frames.ts';

/** Gets the function that converts vectors from the old axes of a node to its new ones; null where they are equal. */
type RotatorOf = (node: unknown) => ((x: number, y: number, z: number) => [number, number, number]) | null;

function rotatorOf({ forest, changes, wraps }: Frames): RotatorOf {
  return (node) => {
    const forestNode = typeof node === 'number' ? forest.nodesBySource[node] : undefined;
    if (forestNode === undefined || wraps.has(forestNode) || isIdentityRotation(changes[forestNode].axes, 0))
      return null;
    const inverse = new Float64Array(4);
    quat.conjugate(inverse, 0, changes[forestNode].axes, 0);
    return (x, y, z) => {
      const out = new Float64Array(3);
      vec3.rotate(out, 0, inverse, 0, [x, y, z], 0);
      return [out[0] + 0, out[1] + 0, out[2] + 0];
    };
  };
}

function itemsAt(value: unknown, key: string): readonly unknown[] {
  const list = isObject(value) ? memberAt(value, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function numberAt(object: JsonObject, key: string): number {
  const value = memberAt(object, key);
  return typeof value === 'number' ? value : 0;
}

/** Rotates a vector of VRM 0.x: an object with z negated against glTF (UniVRM mirrors the axes of Unity along z). */
function rotateVrm0Vector(owner: unknown, key: string, rotate: ReturnType<RotatorOf>): void {
  const vector = isObject(owner) ? memberAt(owner, key) : undefined;
  if (rotate === null || !isObject(vector)) return;
  const [x, y, z] = rotate(numberAt(vector, 'x'), numberAt(vector, 'y'), -numberAt(vector, 'z'));
  Object.assign(vector, { x, y, z: -z + 0 });
}

/** Rotates a vector of VRM 1.0: three numbers in glTF axes. */
function rotateVrm1Vector(owner: unknown, key: string, rotate: ReturnType<RotatorOf>): void {
  const vector = isObject(owner) ? memberAt(owner, key) : undefined;
  if (rotate === null || !isObject(owner) || !Array.isArray(vector) || vector.length !== 3) return;
  if (!vector.every((value) => typeof value === 'number')) return;
  owner[key] = rotate(vector[0], vector[1], vector[2]);
}

function rotateShape(shape: unknown, rotate: ReturnType<RotatorOf>): void {
  if (!isObject(shape)) return;
  for (const kind of ['sphere', 'capsule', 'plane']) {
    for (const key of ['offset', 'tail', 'normal']) rotateVrm1Vector(memberAt(shape, kind), key, rotate);
  }
}

function rotateSpringBones(extension: unknown, rotators: RotatorOf): void {
  for (const collider of itemsAt(extension, 'colliders')) {
    if (!isObject(collider)) continue;
    const rotate = rotators(memberAt(collider, 'node'));
    rotateShape(memberAt(collider, 'shape'), rotate);
    const extensions = memberAt(collider, 'extensions');
    const extended = isObject(extensions) ? memberAt(extensions, 'VRMC_springBone_extended_collider') : undefined;
    if (isObject(extended)) rotateShape(memberAt(extended, 'shape'), rotate);
  }
}

function rotateVrm0Extension(vrm: unknown, rotators: RotatorOf): void {
  const springs = isObject(vrm) ? memberAt(vrm, 'secondaryAnimation') : undefined;
  for (const group of itemsAt(springs, 'colliderGroups')) {
    const rotate = rotators(isObject(group) ? memberAt(group, 'node') : undefined);
    for (const collider of itemsAt(group, 'colliders')) rotateVrm0Vector(collider, 'offset', rotate);
  }
  const first = isObject(vrm) ? memberAt(vrm, 'firstPerson') : undefined;
  if (isObject(first)) rotateVrm0Vector(first, 'firstPersonBoneOffset', rotators(memberAt(first, 'firstPersonBone')));
}

/** Maps the bones of a VRM humanoid to the new nodes of wrapped bones. */
function replaceWrappedBones(vrm: unknown, { forest, wraps }: Frames): void {
  const humanoid = isObject(vrm) ? memberAt(vrm, 'humanoid') : undefined;
  const bones = isObject(humanoid) ? memberAt(humanoid, 'humanBones') : undefined;
  if (!isObject(bones) && !Array.isArray(bones)) return;
  for (const bone of Object.values(bones)) {
    const node = isObject(bone) ? memberAt(bone, 'node') : undefined;
    const wrap = typeof node === 'number' ? wraps.get(forest.nodesBySource[node]) : undefined;
    if (wrap !== undefined) (bone as JsonObject)['node'] = wrap.node;
  }
}

/** Reports constraints on bones with new axes. Constraints name axes, so they cannot be rotated. */
function reportConstraints(doc: GltfDocument, rotators: RotatorOf, issues: Issue[]): void {
  const touched: string[] = [];
  arrayAt(doc.json, 'nodes', '').forEach((node, index) => {
    const extensions = isObject(node) ? memberAt(node, 'extensions') : undefined;
    const extension = isObject(extensions) ? memberAt(extensions, 'VRMC_node_constraint') : undefined;
    const constraint = isObject(extension) ? memberAt(extension, 'constraint') : undefined;
    if (!isObject(constraint)) return;
    const sources = Object.values(constraint).map((kind) => (isObject(kind) ? memberAt(kind, 'source') : undefined));
    if ([index, ...sources].some((one) => rotators(one) !== null)) touched.push(`/nodes/${index}`);
  });
  if (touched.length === 0) return;
  const message = `${touched.length} constraints (VRMC_node_constraint) use bones whose axes changed. They were kept as they are; check them in a VRM player.`;
  issues.push(issue('DEFINE_CONSTRAINT', message, { pointer: touched[0] }));
}

/**
 * Rotates the vectors that VRM extensions store in bone axes (spring bone colliders, the look-at origin), so that their
 * positions do not change. VRM humanoids are mapped to the new nodes of wrapped bones.
 *
 * @param issues Receives DEFINE_CONSTRAINT for constraints, which cannot be rotated.
 */
export function rotateVrmVectors(doc: GltfDocument, frames: Frames, issues: Issue[]): void {
  const rotators = rotatorOf(frames);
  const root = memberAt(doc.json, 'extensions');
  if (isObject(root)) {
    const vrm1 = memberAt(root, 'VRMC_vrm');
    rotateVrm0Extension(memberAt(root, 'VRM'), rotators);
    rotateSpringBones(memberAt(root, 'VRMC_springBone'), rotators);
    if (isObject(vrm1)) rotateVrm1Vector(memberAt(vrm1, 'lookAt'), 'offsetFromHeadBone', rotators(headOf(vrm1)));
    replaceWrappedBones(memberAt(root, 'VRM'), frames);
    replaceWrappedBones(vrm1, frames);
  }
  reportConstraints(doc, rotators, issues);
}

function headOf(vrm: JsonObject): unknown {
  const humanoid = memberAt(vrm, 'humanoid');
  const bones = isObject(humanoid) ? memberAt(humanoid, 'humanBones') : undefined;
  const head = isObject(bones) ? memberAt(bones, 'head') : undefined;
  return isObject(head) ? memberAt(head, 'node') : undefined;
}
