/** What joints do at a time: local, skeleton-space and skinning matrices, as UsdSkelSkeletonQuery computes them. */
import * as mat4 from '../../../core/math/mat4.ts';
import { type JointMapper, mapJoints } from '../../../core/skeleton/joint-mapper.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { SkeletonDefinition } from './skeleton-definition.ts';

/** How a map from an order to another counts in UsdSkelAnimMapper. */
export interface MapFlags {
  readonly identity: boolean;
  /** Whether some values of the target come from elsewhere: of the rest pose. */
  readonly sparse: boolean;
  /** Whether an order is empty; a map of orders that have nothing in common is none for OpenUSD, though it maps nothing. */
  readonly null: boolean;
}

/** The flags of a map. */
export function mapFlags(map: JointMapper): MapFlags {
  const isNull = map.sourceCount === 0 || map.targetCount === 0;
  const places = new Set(map.targetIndices);
  places.delete(-1);
  const isWhole = map.kind === 'sparse' && places.size === map.targetCount;
  return { identity: map.kind === 'identity', sparse: map.kind !== 'identity' && !isWhole, null: isNull };
}

/**
 * Joint-local matrices: those of the animation at the joints that it has, the rest pose elsewhere. `animated`: matrices in the order of the
 * animation, null without. Null where the rest pose is needed and missing: without animation, and with one that lacks joints.
 */
export function localTransforms(
  definition: SkeletonDefinition,
  map: JointMapper | null,
  animated: ArrayLike<number> | null,
): Float64Array | null {
  const out = new Float64Array(definition.joints.length * MATRIX_STRIDE);
  return fillLocalTransforms(out, definition, map, map === null ? null : mapFlags(map), animated) ? out : null;
}

/** {@link localTransforms} into `out`; whether there are any. `flags`: of the map. No allocation. */
export function fillLocalTransforms(
  out: Float64Array,
  { rest }: SkeletonDefinition,
  map: JointMapper | null,
  flags: MapFlags | null,
  animated: ArrayLike<number> | null,
): boolean {
  const moves = map !== null && flags !== null && !flags.null;
  if (rest === null && (!moves || animated === null || flags.sparse)) return false;
  if (rest !== null) out.set(rest);
  else out.fill(0);
  if (moves && animated !== null) mapJoints(map, animated, MATRIX_STRIDE, out);
  return true;
}

/** Matrices from the space of each joint to that of the skeleton, of joint-local ones, which `out` may be. */
export function skelTransforms(
  parents: Int32Array,
  local: ArrayLike<number>,
  out: Float64Array = new Float64Array(local.length),
): Float64Array {
  out.set(local);
  for (let joint = 0; joint < parents.length; joint++) {
    const parent = parents[joint] * MATRIX_STRIDE;
    const at = joint * MATRIX_STRIDE;
    if (parent >= 0) mat4.multiply(out, at, out, parent, out, at);
  }
  return out;
}

/** Skinning matrices `inverse(bind) · skel` (row vectors), one a joint; null without a bind pose. */
export function skinningTransforms(
  { inverseBind, joints }: SkeletonDefinition,
  skel: ArrayLike<number>,
  out: Float64Array = new Float64Array(joints.length * MATRIX_STRIDE),
): Float64Array | null {
  if (inverseBind === null) return null;
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) mat4.multiply(out, at, skel, at, inverseBind, at);
  return out;
}

/**
 * Joint-local matrices relative to the rest pose, `local · inverse(rest)` (row vectors). Identities without an animation that reaches the joints
 * (`map` null or null as a map), and at joints whose rest has no inverse. Null where the rest pose is missing.
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

const IDENTITY = new Float64Array(MATRIX_STRIDE);
mat4.identity(IDENTITY, 0);

/**
 * Skinning matrices in the joint order of a mesh: `map` leads from the order of the skeleton to that of the mesh. Joints that the skeleton
 * lacks do not move (the identity). The matrices that went in where the order is the same, else `out`.
 */
export function transformsForMesh(
  map: JointMapper | null,
  skinning: Float64Array,
  out: Float64Array | null = null,
): Float64Array {
  if (map === null || map.kind === 'identity') return skinning;
  const ordered = out ?? new Float64Array(map.targetCount * MATRIX_STRIDE);
  mapJoints(map, skinning, MATRIX_STRIDE, ordered, IDENTITY);
  return ordered;
}
