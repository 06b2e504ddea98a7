/** What joints do at a time: local, skeleton-space and skinning matrices, as UsdSkelSkeletonQuery computes them. */
import * as mat4 from '../../../core/math/mat4.ts';
import { type OrderMap, remap } from '../../../core/skeleton/order-map.ts';
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
export function mapFlags(map: OrderMap): MapFlags {
  const isNull = map.sourceCount === 0 || map.targetCount === 0;
  const places = new Set(map.places);
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
  map: OrderMap | null,
  animated: ArrayLike<number> | null,
): Float64Array | null {
  const { rest, joints } = definition;
  if (map === null || mapFlags(map).null) return rest?.slice() ?? null;
  if (rest === null && (animated === null || mapFlags(map).sparse)) return null;
  const local = rest?.slice() ?? new Float64Array(joints.length * MATRIX_STRIDE);
  if (animated !== null) remap(map, animated, MATRIX_STRIDE, local);
  return local;
}

/** Matrices from the space of each joint to that of the skeleton, of joint-local ones. */
export function skelTransforms(parents: Int32Array, local: ArrayLike<number>): Float64Array {
  const out = Float64Array.from(local);
  for (let joint = 0; joint < parents.length; joint++) {
    const parent = parents[joint] * MATRIX_STRIDE;
    const at = joint * MATRIX_STRIDE;
    if (parent >= 0) mat4.multiply(out, at, out, parent, out, at);
  }
  return out;
}

/** Skinning matrices `inverse(bind) · skel` (row vectors), one a joint; null without a bind pose. */
export function skinningTransforms(definition: SkeletonDefinition, skel: ArrayLike<number>): Float64Array | null {
  const { inverseBind } = definition;
  if (inverseBind === null) return null;
  const out = new Float64Array(inverseBind.length);
  for (let at = 0; at < out.length; at += MATRIX_STRIDE) mat4.multiply(out, at, skel, at, inverseBind, at);
  return out;
}

/**
 * Joint-local matrices relative to the rest pose, `local · inverse(rest)` (row vectors). Identities without an animation that reaches the joints
 * (`map` null or null as a map), and at joints whose rest has no inverse. Null where the rest pose is missing.
 */
export function restRelativeTransforms(
  definition: SkeletonDefinition,
  map: OrderMap | null,
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
 * Skinning matrices in the joint order of a mesh: `map` leads from the order of the skeleton to that of the mesh. Joints that the skeleton
 * lacks do not move (the identity).
 */
export function transformsForMesh(map: OrderMap | null, skinning: Float64Array): Float64Array {
  if (map === null || map.kind === 'identity') return skinning;
  const out = new Float64Array(map.targetCount * MATRIX_STRIDE);
  const identity = new Float64Array(MATRIX_STRIDE);
  mat4.identity(identity, 0);
  remap(map, skinning, MATRIX_STRIDE, out, identity);
  return out;
}
