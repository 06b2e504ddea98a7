import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, isObject, type JsonObject } from '../document/json-access.ts';
import { extensionOf, listOf, memberOf, numberOf } from '../document/loose-json.ts';
import type { Frames } from './frames.ts';

/** Gets the function that converts vectors from the old axes of a node to its new ones; null where they are equal. */
type RotatorOf = (node: unknown) => ((x: number, y: number, z: number) => [number, number, number]) | null;

function rotatorOf({ forest, changes, wraps }: Frames): RotatorOf {
  return (node) => {
    const forestNode = typeof node === 'number' ? forest.nodesBySource[node] : undefined;
    if (forestNode === undefined || wraps.has(forestNode) || isIdentityRotation(changes[forestNode].axes, 0))
      return null;
    const inverse = quat.conjugated(changes[forestNode].axes);
    return (x, y, z) => {
      const out = new Float64Array(3);
      vec3.rotate(out, 0, inverse, 0, [x, y, z], 0);
      return [out[0] + 0, out[1] + 0, out[2] + 0];
    };
  };
}

/** Rotates a vector of VRM 0.x: an object with z negated against glTF (UniVRM mirrors the axes of Unity along z). */
function rotateVrm0Vector(owner: unknown, key: string, rotate: ReturnType<RotatorOf>): void {
  const vector = memberOf(owner, key);
  if (rotate === null || !isObject(vector)) return;
  const [x, y, z] = rotate(numberOf(vector, 'x', 0), numberOf(vector, 'y', 0), -numberOf(vector, 'z', 0));
  Object.assign(vector, { x, y, z: -z + 0 });
}

/** Rotates a vector of VRM 1.0: three numbers in glTF axes. */
function rotateVrm1Vector(owner: unknown, key: string, rotate: ReturnType<RotatorOf>): void {
  const vector = memberOf(owner, key);
  if (rotate === null || !isObject(owner) || !Array.isArray(vector) || vector.length !== 3) return;
  if (!vector.every((value) => typeof value === 'number')) return;
  owner[key] = rotate(vector[0], vector[1], vector[2]);
}

function rotateShape(shape: unknown, rotate: ReturnType<RotatorOf>): void {
  for (const kind of ['sphere', 'capsule', 'plane']) {
    for (const key of ['offset', 'tail', 'normal']) rotateVrm1Vector(memberOf(shape, kind), key, rotate);
  }
}

function rotateSpringBones(extension: unknown, rotators: RotatorOf): void {
  for (const collider of listOf(extension, 'colliders')) {
    const rotate = rotators(memberOf(collider, 'node'));
    rotateShape(memberOf(collider, 'shape'), rotate);
    rotateShape(memberOf(extensionOf(collider, 'VRMC_springBone_extended_collider'), 'shape'), rotate);
  }
}

function rotateVrm0Extension(vrm: unknown, rotators: RotatorOf): void {
  for (const group of listOf(vrm, 'secondaryAnimation', 'colliderGroups')) {
    const rotate = rotators(memberOf(group, 'node'));
    for (const collider of listOf(group, 'colliders')) rotateVrm0Vector(collider, 'offset', rotate);
  }
  const first = memberOf(vrm, 'firstPerson');
  rotateVrm0Vector(first, 'firstPersonBoneOffset', rotators(memberOf(first, 'firstPersonBone')));
}

function replaceWrappedBones(vrm: unknown, { forest, wraps }: Frames): void {
  const bones = memberOf(vrm, 'humanoid', 'humanBones');
  if (!isObject(bones) && !Array.isArray(bones)) return;
  for (const bone of Object.values(bones)) {
    const node = memberOf(bone, 'node');
    const wrap = typeof node === 'number' ? wraps.get(forest.nodesBySource[node]) : undefined;
    if (wrap !== undefined) (bone as JsonObject)['node'] = wrap.node;
  }
}

/** Reports constraints on bones with new axes. Constraints name axes, so they cannot be rotated. */
function reportConstraints(doc: GltfDocument, rotators: RotatorOf, issues: Issue[]): void {
  const touched: string[] = [];
  arrayAt(doc.json, 'nodes', '').forEach((node, index) => {
    const constraint = memberOf(extensionOf(node, 'VRMC_node_constraint'), 'constraint');
    if (!isObject(constraint)) return;
    const sources = Object.values(constraint).map((kind) => memberOf(kind, 'source'));
    if ([index, ...sources].some((one) => rotators(one) !== null)) touched.push(`/nodes/${index}`);
  });
  if (touched.length === 0) return;
  const message = `${touched.length} constraints (VRMC_node_constraint) use bones whose axes changed. They were kept as they are; check them in a VRM player.`;
  issues.push(issue('DEFINE_CONSTRAINT', message, { pointer: touched[0] }));
}

/**
 * Rotates the vectors that VRM extensions store in bone axes (spring bone colliders, the look-at origin), so that their positions do not change.
 * VRM humanoids are mapped to the new nodes of wrapped bones. `issues` receives DEFINE_CONSTRAINT for constraints, which cannot be rotated.
 */
export function rotateVrmVectors(doc: GltfDocument, frames: Frames, issues: Issue[]): void {
  const rotators = rotatorOf(frames);
  const vrm0 = extensionOf(doc.json, 'VRM');
  const vrm1 = extensionOf(doc.json, 'VRMC_vrm');
  rotateVrm0Extension(vrm0, rotators);
  rotateSpringBones(extensionOf(doc.json, 'VRMC_springBone'), rotators);
  const head = memberOf(vrm1, 'humanoid', 'humanBones', 'head', 'node');
  rotateVrm1Vector(memberOf(vrm1, 'lookAt'), 'offsetFromHeadBone', rotators(head));
  replaceWrappedBones(vrm0, frames);
  replaceWrappedBones(vrm1, frames);
  reportConstraints(doc, rotators, issues);
}
