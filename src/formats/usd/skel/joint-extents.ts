/** Computes bounding boxes of skeletons: fast bounds of everything they skin, as UsdSkelRoot does. */
import { pointExtents } from '../../../core/deform/extents.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { modelPositions } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { attributeValue, timeSamplesOf } from '../stage/attribute-values.ts';
import { isUsable, type Stage, type Time } from '../stage/stage.ts';
import { localToWorld } from '../stage/xform-ops.ts';
import { type BindingOptions, readBindings, skeletonAnimation } from './bindings.ts';
import { type BoundPrim, geomBindTransform } from './bound-prim.ts';
import { skelTransforms } from './joint-transforms.ts';
import { readAnimatedSkeleton, sampleSkeleton } from './skeleton-sample.ts';
import { numbersOf } from './typed-values.ts';

/**
 * Computes the padded bounding box of joints. `skel`: joint matrices in skeleton space, 16 floats per joint. `placement`: matrix from skeleton
 * space to the space of the box, 16 floats; the identity if omitted.
 */
export function jointsExtent(skel: ArrayLike<number>, padding = 0, placement?: ArrayLike<number>): Float64Array {
  const points = new Float64Array((3 * skel.length) / MATRIX_STRIDE);
  modelPositions(points, Float64Array.from(skel));
  if (placement !== undefined) {
    for (let at = 0; at < points.length; at += 3) mat4.transformPoint(points, at, placement, 0, points, at);
  }
  const box = new Float64Array(6);
  pointExtents(box, 0, points);
  for (let c = 0; c < 6; c++) box[c] += c < 3 ? -padding : padding;
  return box;
}

/**
 * Computes by how much the authored extent of a prim, transformed to bind space, exceeds the bounding box of the joints at rest. `skelRest`: joint
 * matrices of the rest pose in skeleton space, 16 floats per joint.
 */
export function extentPadding(stage: Stage, bound: BoundPrim, skelRest: ArrayLike<number>): number {
  const time = timeSamplesOf(stage, bound.prim, 'extent')[0] ?? 'default';
  const extent = numbersOf(attributeValue(stage, bound.prim, 'extent', time), 3);
  if (extent === null || extent.length !== 6 || skelRest.length === 0) return 0;
  const bind = geomBindTransform(stage, bound, time);
  const corners = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) corners[3 * corner + axis] = extent[axis + ((corner >> axis) & 1 ? 3 : 0)];
    mat4.transformPoint(corners, 3 * corner, bind, 0, corners, 3 * corner);
  }
  const prim = new Float64Array(6);
  pointExtents(prim, 0, corners);
  const joints = jointsExtent(skelRest);
  let padding = 0;
  for (let c = 0; c < 6; c++) padding = Math.max(padding, c < 3 ? joints[c] - prim[c] : prim[c] - joints[c]);
  return padding;
}

/**
 * Computes the extent of a SkelRoot at a time: the union of the joint boxes of all bound skeletons, each padded by how far the extents of
 * its prims exceed it at rest. Without bindings, all skeletons below the SkelRoot count. This is an approximation: parts that rotate away from the rest pose may
 * exceed it slightly.
 *
 * @param stage The composed stage.
 * @param root Path of the SkelRoot.
 * @param time Time code, or `default` for default values.
 * @param options How bindings are read.
 * @returns Minimum x, y, z, then maximum, in the space of the SkelRoot; null without joints.
 */
export function skelRootExtent(
  stage: Stage,
  root: string,
  time: Time,
  options: BindingOptions = {},
): Float64Array | null {
  const { bindings } = readBindings(stage, root, options);
  const all: readonly { skeleton: string; animation: string | null; prims: readonly BoundPrim[] }[] =
    bindings.length > 0 ? bindings : unboundSkeletons(stage, root);
  const toRoot = localToWorld(stage, root, time);
  if (!mat4.invertAffine(toRoot, 0, toRoot, 0)) return null;
  const out = Float64Array.of(...Array(3).fill(Number.POSITIVE_INFINITY), ...Array(3).fill(Number.NEGATIVE_INFINITY));
  for (const { skeleton: prim, animation, prims } of all) {
    const { skeleton } = readAnimatedSkeleton(stage, prim, animation);
    const skel = skeleton === null ? null : sampleSkeleton(stage, skeleton, time).skel;
    if (skeleton === null || skel === null) continue;
    const { rest, parents } = skeleton.definition;
    const atRest = rest === null ? [] : skelTransforms(parents, rest);
    const padding = prims.reduce((most, bound) => Math.max(most, extentPadding(stage, bound, atRest)), 0);
    const placement = localToWorld(stage, prim, time);
    mat4.multiply(placement, 0, toRoot, 0, placement, 0);
    const box = jointsExtent(skel, padding, placement);
    for (let c = 0; c < 6; c++) out[c] = c < 3 ? Math.min(out[c], box[c]) : Math.max(out[c], box[c]);
  }
  return Number.isFinite(out[0]) ? out : null;
}

function unboundSkeletons(stage: Stage, root: string): { skeleton: string; animation: string | null; prims: [] }[] {
  return stage.prims
    .filter((prim) => prim.path.startsWith(`${root}/`) && prim.typeName === 'Skeleton' && isUsable(prim))
    .map(({ path }) => ({ skeleton: path, animation: skeletonAnimation(stage, path), prims: [] }));
}
