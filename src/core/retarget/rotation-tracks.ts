/** Rotation tracks of the target: keys are mapped where one source rotation drives a bone, and resampled where several do. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { ROTATION_TOLERANCE } from '../animation/resample-tolerance.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { mapRotationKeys, sandwichMatrix } from './map-keys.ts';
import type { RetargetPlan, TwistPlan } from './plan-types.ts';
import { createRotationProducts, type RotationProducts, sampleProduct } from './rotation-products.ts';
import { constantTrack, resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';
import { evaluateConstantTwists, twistTrack } from './twist/twist-tracks.ts';

/**
 * Returns for each bone the source track whose keys go through the matrix of the plan; undefined for the others, which are added to `others`: a few bones,
 * usually, for which {@link createRotationProducts} has to look at all nodes of the path.
 */
function directTracks(
  plan: RetargetPlan,
  table: TrackTable,
  fps: number | undefined,
  others: number[],
): (Track | undefined)[] {
  const { pathStart, pathNodes, twists } = plan;
  const count = plan.bones.length;
  const out: (Track | undefined)[] = new Array(count);
  const hasDirect = fps === undefined && twists.length === 0;
  for (let k = 0; k < count; k++) {
    const start = pathStart[k];
    const track = hasDirect && pathStart[k + 1] - start === 1 ? table.rotation[pathNodes[start]] : undefined;
    if (track !== undefined && !isConstantTrack(track)) out[k] = track;
    else others.push(k);
  }
  return out;
}

/** Allocates memory for the values of the tracks and `spare` more: one block, since one per track would take longer than mapping its keys. */
function allocateKeys(tracks: readonly (Track | undefined)[], spare: number): Floats {
  let length = spare;
  let isDouble = false;
  for (const track of tracks) {
    length += track?.values.length ?? 0;
    isDouble ||= track?.values instanceof Float64Array;
  }
  return isDouble ? new Float64Array(length) : new Float32Array(length);
}

/**
 * Retargets the rotations of a clip. `duration`: seconds. `fps`: keys per second; undefined keeps the keys of the source where possible. `part`: part of
 * the tolerances, above 0, at most 1.
 */
export function rotationTracks(
  plan: RetargetPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
  part: number,
  spareLength: number,
): { tracks: Track[]; spare: Floats } {
  const others: number[] = [];
  const kept = directTracks(plan, table, fps, others);
  const products = createRotationProducts(plan, table, others);
  const { trackCounts } = products;
  const constant = evaluateConstantTwists(plan, products);
  const moving = plan.twists.filter((twist) => trackCounts[twist.driver] > 0);
  /** The moving twist in front of the rotation of a bone, by the index of the bone in the plan. */
  const boneTwists = new Map(moving.filter(({ bone }) => bone >= 0).map((twist) => [twist.bone, twist]));
  const tolerance = (part * ROTATION_TOLERANCE) / resampledDepth(plan, products, others, boneTwists);
  /** Maps of bones for which the other rotations of the path are constant in this clip. */
  const matrices = new Map<number, Float64Array>();
  for (const k of others) {
    if (fps !== undefined || trackCounts[k] !== 1 || boneTwists.has(k)) continue;
    matrices.set(k, keyMatrix(constant.products, k));
    kept[k] = products.tracks[products.first[k]];
  }
  const block = allocateKeys(kept, spareLength);
  const { buffer, BYTES_PER_ELEMENT: floatBytes } = block;
  const isDouble = block instanceof Float64Array;
  const out: Track[] = [];
  let at = 0;
  for (let k = 0; k < kept.length; k++) {
    const track = kept[k];
    if (track !== undefined) {
      const { interpolation, times } = track;
      const { length } = track.values;
      // No call of `subarray`, which takes twice as long.
      const values = isDouble ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length);
      at += floatBytes * length;
      const own = matrices.get(k);
      mapRotationKeys(values, track, own ?? plan.keyMatrices, own === undefined ? MATRIX_STRIDE * k : 0);
      out.push({ target: plan.targetNodes[k], path: 'rotation', interpolation, times, values });
      continue;
    }
    const twist = boneTwists.get(k);
    if (twist !== undefined) out.push(twistTrack(plan, products, twist, tolerance, duration, fps));
    else if (trackCounts[k] === 0) out.push(...constantBoneTrack(plan, constant.products, k, table));
    else out.push(resampledBoneTrack(plan, constant.products, k, tolerance, duration, fps));
  }
  for (const { twist, value } of constant.values) {
    const isAnimated = hasTrack(plan, twist.driver, table);
    out.push(...constantTrack(twist.targetNode, 'rotation', value, plan, isAnimated));
  }
  for (const twist of moving) {
    if (twist.bone < 0) out.push(twistTrack(plan, products, twist, tolerance, duration, fps));
  }
  return { tracks: out, spare: block.subarray(block.length - spareLength) };
}

/** Returns the greatest number of resampled nodes on a path to the root, at least 1: their errors add up in a world rotation. */
function resampledDepth(
  { above }: RetargetPlan,
  { trackCounts }: RotationProducts,
  others: readonly number[],
  boneTwists: ReadonlyMap<number, TwistPlan>,
): number {
  if (boneTwists.size === 0 && !others.some((k) => trackCounts[k] > 1)) return 1;
  /** Resampled nodes down to each bone: bones above come first in a plan. */
  const depths: number[] = [];
  let most = 1;
  for (let k = 0; k < above.length; k++) {
    const twist = boneTwists.get(k);
    const own = twist !== undefined ? 1 + twist.depth : trackCounts[k] > 1 ? 1 : 0;
    depths.push(own + (above[k] < 0 ? 0 : depths[above[k]]));
    most = Math.max(most, depths[k]);
  }
  return most;
}

function constantBoneTrack(plan: RetargetPlan, products: RotationProducts, k: number, table: TrackTable): Track[] {
  const value = new Float64Array(4);
  quat.normalize(value, 0, products.constants, products.start[k]);
  return constantTrack(plan.targetNodes[k], 'rotation', value, plan, hasTrack(plan, k, table));
}

/** Computes the map of the keys of the only track that rotates a bone. */
function keyMatrix({ start, constants, inverted, first }: RotationProducts, k: number): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  sandwichMatrix(matrix, 0, constants, start[k], constants, start[k] + 4, inverted[first[k]]);
  return matrix;
}

function resampledBoneTrack(
  plan: RetargetPlan,
  products: RotationProducts,
  k: number,
  tolerance: number,
  duration: number,
  fps: number | undefined,
): Track {
  const first = products.first[k];
  const tracks = products.tracks.slice(first, first + products.trackCounts[k]);
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
