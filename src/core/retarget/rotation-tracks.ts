/** Rotation tracks of the target: keys are mapped where one source rotation drives a bone, and resampled where several do. */
import type { Track } from '../animation/clip.ts';
import { ROTATION_TOLERANCE } from '../animation/resample-tolerance.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { mapRotationTracks, type RotationMapper, sandwichMatrix } from './map-keys.ts';
import type { RetargetPlan, TwistPlan } from './plan-types.ts';
import {
  createRotationProducts,
  firstConstant,
  type RotationProducts,
  sampleProduct,
  trackCount,
} from './rotation-products.ts';
import { constantTrack, resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';
import { evaluateConstantTwists, twistTrack } from './twist/twist-tracks.ts';

/**
 * Retargets the rotations of a clip.
 *
 * @param plan From {@link planRetarget}.
 * @param table Tracks of the source clip.
 * @param duration Duration of the clip, seconds.
 * @param fps Keys per second; undefined keeps the keys of the source where possible.
 * @param mapRotations Maps keys that are kept.
 * @returns Tracks of the bones, then of the twist joints.
 */
export function rotationTracks(
  plan: RetargetPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
  mapRotations: RotationMapper = mapRotationTracks,
): Track[] {
  const products = createRotationProducts(plan, table);
  const constant = evaluateConstantTwists(plan, products);
  const moving = plan.twists.filter((twist) => trackCount(products, twist.driver) > 0);
  /** The moving twist in front of the rotation of a bone, by the index of the bone in the plan. */
  const boneTwists = new Map(moving.filter(({ bone }) => bone >= 0).map((twist) => [twist.bone, twist]));
  const tolerance = ROTATION_TOLERANCE / resampledDepth(plan, products, boneTwists);
  const keepsKeys = (k: number): boolean => fps === undefined && trackCount(products, k) === 1 && !boneTwists.has(k);
  const kept: Track[] = [];
  const matrices = new Float64Array(MATRIX_STRIDE * plan.bones.length);
  for (let k = 0; k < plan.bones.length; k++) {
    if (!keepsKeys(k)) continue;
    keyMatrix(matrices, MATRIX_STRIDE * kept.length, constant.products, k);
    kept.push(products.tracks[products.first[k]]);
  }
  const values = mapRotations(kept, matrices.subarray(0, MATRIX_STRIDE * kept.length));
  let mapped = 0;
  const out: Track[] = [];
  for (let k = 0; k < plan.bones.length; k++) {
    const twist = boneTwists.get(k);
    if (twist !== undefined) out.push(twistTrack(plan, products, twist, tolerance, duration, fps));
    else if (trackCount(products, k) === 0) out.push(...constantBoneTrack(plan, constant.products, k, table));
    else if (keepsKeys(k)) {
      const { interpolation, times } = kept[mapped];
      out.push({ target: plan.targetNodes[k], path: 'rotation', interpolation, times, values: values[mapped++] });
    } else out.push(resampledBoneTrack(plan, constant.products, k, tolerance, duration, fps));
  }
  for (const { twist, value } of constant.values) {
    const isAnimated = hasTrack(plan, twist.driver, table);
    out.push(...constantTrack(twist.targetNode, 'rotation', value, plan, isAnimated));
  }
  for (const twist of moving) {
    if (twist.bone < 0) out.push(twistTrack(plan, products, twist, tolerance, duration, fps));
  }
  return out;
}

/** Returns the greatest number of resampled nodes on a path to the root, at least 1: their errors add up in a world rotation. */
function resampledDepth(
  { above }: RetargetPlan,
  products: RotationProducts,
  boneTwists: ReadonlyMap<number, TwistPlan>,
): number {
  let most = 1;
  for (let k = 0; k < above.length; k++) {
    let count = 0;
    for (let bone = k; bone >= 0; bone = above[bone]) {
      const twist = boneTwists.get(bone);
      if (twist !== undefined) count += 1 + twist.depth;
      else if (trackCount(products, bone) > 1) count++;
    }
    most = Math.max(most, count);
  }
  return most;
}

function constantBoneTrack(plan: RetargetPlan, products: RotationProducts, k: number, table: TrackTable): Track[] {
  const value = new Float64Array(4);
  quat.normalize(value, 0, products.constants, firstConstant(products, k));
  return constantTrack(plan.targetNodes[k], 'rotation', value, plan, hasTrack(plan, k, table));
}

/** Writes the map of the keys of the only track that rotates a bone. */
function keyMatrix(out: Float64Array, o: number, products: RotationProducts, k: number): void {
  const { constants, inverted } = products;
  const first = firstConstant(products, k);
  sandwichMatrix(out, o, constants, first, constants, first + 4, inverted[products.first[k]]);
}

function resampledBoneTrack(
  plan: RetargetPlan,
  products: RotationProducts,
  k: number,
  tolerance: number,
  duration: number,
  fps: number | undefined,
): Track {
  const tracks = products.tracks.slice(products.first[k], products.first[k + 1]);
  const evaluate = (time: number, out: Floats, o: number): void => sampleProduct(out, o, products, k, time);
  return resampleTrack(plan.targetNodes[k], { path: 'rotation', tracks, tolerance, evaluate }, duration, fps);
}

/** Tells whether the clip has a rotation track on the path of a bone. */
function hasTrack(plan: RetargetPlan, k: number, table: TrackTable): boolean {
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    if (table.rotation[plan.pathNodes[entry]] !== undefined) return true;
  }
  return false;
}
