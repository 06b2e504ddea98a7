/**
 * Computes joint transforms at a time: local, skeleton-space and skinning matrices, as UsdSkelSkeletonQuery does. Matrices have 16 floats per joint.
 */
import * as mat4 from '../../../core/math/mat4.ts';
import { type JointMapper, mapJoints } from '../../../core/skeleton/joint-mapper.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { SkeletonDefinition } from './skeleton-definition.ts';

/**
 * `sparse`: some target values are missing in the source and come from the rest pose. `null`: one of the orders is empty; orders without common names
 * are not null in OpenUSD.
 */
export function mapFlags(map: JointMapper): {
  readonly identity: boolean;
  readonly sparse: boolean;
  readonly null: boolean;
} {
  const isNull = map.sourceCount === 0 || map.targetCount === 0;
  const targets = new Set(map.targetIndices);
  targets.delete(-1);
  const coversTarget = map.kind === 'sparse' && targets.size === map.targetCount;
  return { identity: map.kind === 'identity', sparse: map.kind !== 'identity' && !coversTarget, null: isNull };
}

/**
 * Computes joint-local matrices: those of the animation for its joints, the rest pose for the others. `map`: from the joint order of the animation
 * to that of the skeleton; null without an animation. `animated`: Joint-local matrices in the order of the animation; null without. Returns the
 * matrices in the order of the skeleton; null if the rest pose is required but missing: without an animation, or if it lacks joints.
 */
export function localTransforms(
  { joints, rest }: SkeletonDefinition,
  map: JointMapper | null,
  animated: ArrayLike<number> | null,
): Float64Array | null {
  const flags = map === null ? null : mapFlags(map);
  const isAnimated = map !== null && flags !== null && !flags.null;
  if (rest === null && (!isAnimated || animated === null || flags.sparse)) return null;
  const out = new Float64Array(joints.length * MATRIX_STRIDE);
  if (rest !== null) out.set(rest);
  if (isAnimated && animated !== null) mapJoints(map, animated, MATRIX_STRIDE, out);
  return out;
}

/** Concatenates joint-local matrices to matrices from joint space to skeleton space. */
export function skelTransforms(parents: Int32Array, local: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(local);
  for (let joint = 0; joint < parents.length; joint++) {
    const parent = parents[joint] * MATRIX_STRIDE;
    const at = joint * MATRIX_STRIDE;
    if (parent >= 0) mat4.multiply(out, at, out, parent, out, at);
  }
  return out;
}

/** Computes skinning matrices `inverse(bind) · skel` (row vectors). Returns the matrices; null without a bind pose. */
export function skinningTransforms(
  { inverseBind, joints }: SkeletonDefinition,
  skel: ArrayLike<number>,
): Float64Array | null {
  if (inverseBind === null) return null;
  const out = new Float64Array(joints.length * MATRIX_STRIDE);
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) mat4.multiply(out, at, skel, at, inverseBind, at);
  return out;
}

/**
 * Computes joint-local matrices relative to the rest pose, `local · inverse(rest)` (row vectors). Joints whose rest matrix is singular get the
 * identity; so do all joints if no animation maps to them. `map`: from the joint order of the animation to that of the skeleton; null without an
 * animation. `local`: Joint-local matrices; null without. Returns the matrices; null if the rest pose is missing.
 */
export function restRelativeTransforms(
  definition: SkeletonDefinition,
  map: JointMapper | null,
  local: ArrayLike<number> | null,
): Float64Array | null {
  const { rest, joints } = definition;
  const out = new Float64Array(joints.length * MATRIX_STRIDE);
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) mat4.identity(out, at);
  if (map === null || mapFlags(map).null) return out;
  if (rest === null || local === null) return null;
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) {
    if (mat4.invertAffine(out, at, rest, at)) mat4.multiply(out, at, out, at, local, at);
  }
  return out;
}

/**
 * Reorders skinning matrices to the joint order of a mesh. Joints missing in the skeleton get the identity. `map`: from the joint order of the
 * skeleton to that of the mesh; null if they are the same.
 */
export function transformsForMesh(map: JointMapper | null, skinning: Float64Array): Float64Array {
  if (map === null || map.kind === 'identity') return skinning;
  const ordered = new Float64Array(map.targetCount * MATRIX_STRIDE);
  mapJoints(map, skinning, MATRIX_STRIDE, ordered, mat4.createIdentity());
  return ordered;
}
