/** Inverse bind matrices of the normalized skeleton, and a new skin for bones outside of all skins. */
import { BONE_COUNT, BONES, type BoneName } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { extentOf, findUnbound } from '../../../core/skeleton/solve-bind.ts';
import type { AccessorPool } from '../accessors/accessor-pool.ts';
import type { GltfDocument } from '../document/document.ts';
import { appendBonesSkin, type BoundBone } from './append-bones-skin.ts';
import { type Frames, newMatrix, rotateAxes, wrapperMatrix } from './frames.ts';
import type { NormalizeRequest } from './normalize-request.ts';
import { rebakeMeshes } from './rebake-meshes.ts';
import {
  restInverseBind,
  rotatedInverseBind,
  type SkinMatrices,
  storeInverseBind,
  weightedJoints,
} from './rewrite-skins.ts';

const IDENTITY = mat4.createIdentity();
const SKIN_NAME = 'humanoid bones';

/** Marks joints of a skin that its matrices do not bind with 1. */
function unboundJoints({ restMatrices }: Frames, { joints, inverseBind }: SkinMatrices): Uint8Array {
  const rest = new Float64Array(inverseBind.length);
  joints.forEach((node, joint) => {
    mat4.copy(rest, MATRIX_STRIDE * joint, restMatrices, MATRIX_STRIDE * node);
  });
  return findUnbound(inverseBind, rest, extentOf(rest) || 1);
}

/**
 * Replaces the placeholders that joints without weights have for inverse bind matrices by their rest pose. After a rotation of
 * the axes they would no longer be recognized and would bind the joint elsewhere.
 */
function bindUnset(
  doc: GltfDocument,
  frames: Frames,
  skin: SkinMatrices,
  matrices: Float64Array,
  request: NormalizeRequest,
  shape: Float64Array,
): void {
  const { joints } = skin;
  const unbound = unboundJoints(frames, skin);
  if (!unbound.includes(1) || !unbound.includes(0)) return;
  const weighted = weightedJoints(doc, skin);
  const matrix = new Float64Array(MATRIX_STRIDE);
  for (let joint = 0; joint < joints.length; joint++) {
    if (unbound[joint] === 0) continue;
    const node = frames.forest.sourceNodes[joints[joint]];
    if (weighted.has(joint) || !request.sourceNodes.includes(node) || frames.wraps.has(joints[joint])) continue;
    if (!mat4.invertAffine(matrix, 0, boundMatrix(frames, request, node, false), 0)) continue;
    mat4.multiply(matrices, MATRIX_STRIDE * joint, matrix, 0, shape, 0);
  }
}

/** Writes new inverse bind matrices and, with a new pose, new meshes. `shape`: Bind-shape factor, 16 floats. */
export function editSkins(
  doc: GltfDocument,
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  request: NormalizeRequest,
  shape: Float64Array,
): number {
  const { pose, rootSpace } = request;
  if (pose === null) {
    for (const skin of skins) {
      const matrices = rotatedInverseBind(skin, frames);
      if (matrices === null) continue;
      bindUnset(doc, frames, skin, matrices, request, shape);
      storeInverseBind(pool, skin.json, matrices);
    }
    return 0;
  }
  const modelNodes = new Set(request.sourceNodes);
  const own = skins.filter(({ joints }) =>
    joints.some((forestNode) => modelNodes.has(frames.forest.sourceNodes[forestNode])),
  );
  const space = rootSpace ?? IDENTITY;
  const count = rebakeMeshes(doc, pool, frames, own, space);
  for (const skin of own) storeInverseBind(pool, skin.json, restInverseBind(skin, frames, space));
  return count;
}

/** Computes the bind-shape factor of the skin with the most bones: `bind(j) · IBM(j)` of one of its joints. */
export function bindShape(
  skins: readonly SkinMatrices[],
  frames: Frames,
  { bones, bind, sourceNodes, pose, rootSpace }: NormalizeRequest,
): Float64Array {
  if (pose !== null) return rootSpace ?? IDENTITY;
  const { forest } = frames;
  let shape = IDENTITY;
  let most = 0;
  const memberOf = new Map(Array.from(sourceNodes, (node, i) => [node, i]));
  for (const skin of skins) {
    const { joints, inverseBind } = skin;
    const unbound = unboundJoints(frames, skin);
    const own = Array.from(joints.keys()).filter((joint) => {
      return bones.includes(forest.sourceNodes[joints[joint]]) && unbound[joint] === 0;
    });
    if (own.length <= most) continue;
    const member = memberOf.get(forest.sourceNodes[joints[own[0]]]);
    if (member === undefined) continue;
    most = own.length;
    shape = new Float64Array(MATRIX_STRIDE);
    mat4.multiply(shape, 0, bind, MATRIX_STRIDE * member, inverseBind, MATRIX_STRIDE * own[0]);
  }
  return shape;
}

/** Bind matrix of a bone outside of all skins, with its new axes. */
function boundMatrix(frames: Frames, request: NormalizeRequest, node: number, isWrapped: boolean): Float64Array {
  const { forest, changes } = frames;
  const forestNode = forest.nodesBySource[node];
  const out = new Float64Array(MATRIX_STRIDE);
  const memberOf = new Map(Array.from(request.sourceNodes, (source, i) => [source, i]));
  const member = memberOf.get(node);
  if (request.pose !== null || member === undefined) {
    if (isWrapped) wrapperMatrix(out, frames, forestNode);
    else newMatrix(out, 0, frames, forestNode);
    return out;
  }
  mat4.copy(out, 0, request.bind, MATRIX_STRIDE * member);
  if (isWrapped) {
    const parent = memberOf.get(forest.sourceNodes[forest.parents[forestNode]] ?? -1);
    removeScale(out, parent === undefined ? IDENTITY : request.bind.subarray(MATRIX_STRIDE * parent));
  }
  rotateAxes(out, 0, changes[forestNode].axes);
  return out;
}

/** Removes the local scale of a bone from its matrix. */
function removeScale(matrix: Float64Array, parent: Float64Array): void {
  const local = new Float64Array(MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  if (!mat4.invertAffine(local, 0, parent, 0)) return;
  mat4.multiply(local, 0, local, 0, matrix, 0);
  mat4.decompose(trs, 0, local, 0);
  trs.fill(1, PATH_OFFSET.scale);
  mat4.compose(local, 0, trs, 0);
  mat4.multiply(matrix, 0, parent, 0, local, 0);
}

/** Adds a skin for the bones outside of all skins. `shape`: Bind-shape factor, 16 floats. */
export function addBonesSkin(
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  request: NormalizeRequest,
  shape: Float64Array,
  newBones: Int32Array,
): BoneName[] {
  const { sourceNodes } = frames.forest;
  const joints = new Set(skins.flatMap((skin) => Array.from(skin.joints, (forestNode) => sourceNodes[forestNode])));
  const bound: BoundBone[] = [];
  const names: BoneName[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = newBones[bone];
    if (node < 0 || joints.has(node)) continue;
    const old = request.bones[bone];
    bound.push({ node, matrix: boundMatrix(frames, request, old, node !== old) });
    names.push(BONES[bone]);
  }
  if (bound.length > 0) appendBonesSkin(pool, bound, shape, SKIN_NAME);
  return names;
}
