/** Rotation tracks of the target: keys mapped where one source rotation drives a bone, resampled where several do. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { mapRotationKeys, sandwichMatrix, valueBuffers } from './map-keys.ts';
import type { RetargetPlan, SharePlan } from './retarget-plan.ts';
import { constantOf, type RotationProducts, rotationProducts, sampleProduct, trackCount } from './rotation-products.ts';
import { foldStillShares, sharedTrack } from './share-tracks.ts';
import { constantTrack, resampled } from './target-track.ts';
import type { TrackTable } from './track-table.ts';

/** Resampled rotations stay within this of the exact world rotation, radians: 0.005°. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;

const matrix = new Float64Array(16);

export function rotationTracks(
  plan: RetargetPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const products = rotationProducts(plan, table);
  const { folded, still } = foldStillShares(plan, products);
  const moving = plan.shares.filter((share) => trackCount(products, share.driver) > 0);
  /** The share that turns a bone on top of its own rotation, where it moves. */
  const sharing = new Map(moving.filter(({ bone }) => bone >= 0).map((share) => [share.bone, share]));
  const tolerance = ROTATION_TOLERANCE / mostNested(plan, products, sharing);
  const keepsKeys = (k: number): boolean => fps === undefined && trackCount(products, k) === 1 && !sharing.has(k);
  const kept: Track[] = [];
  for (let k = 0; k < plan.bones.length; k++) if (keepsKeys(k)) kept.push(products.tracks[products.first[k]]);
  const buffers = valueBuffers(kept);
  let mapped = 0;
  const out: Track[] = [];
  for (let k = 0; k < plan.bones.length; k++) {
    const share = sharing.get(k);
    if (share !== undefined) out.push(sharedTrack(plan, products, share, tolerance, duration, fps));
    else if (trackCount(products, k) === 0) out.push(...stillTrack(plan, folded, k, table));
    else if (keepsKeys(k)) out.push(mappedTrack(plan, folded, k, buffers[mapped++]));
    else out.push(resampledTrack(plan, folded, k, tolerance, duration, fps));
  }
  for (const { share, value } of still) {
    const isAnimated = hasTrack(plan, share.driver, table);
    out.push(...constantTrack(share.targetNode, 'rotation', value, plan, isAnimated));
  }
  for (const share of moving)
    if (share.bone < 0) out.push(sharedTrack(plan, products, share, tolerance, duration, fps));
  return out;
}

/** How many resampled nodes there are on the way up to the root, at most: their errors add up in a world rotation. */
function mostNested(
  { above }: RetargetPlan,
  products: RotationProducts,
  sharing: ReadonlyMap<number, SharePlan>,
): number {
  let most = 1;
  for (let k = 0; k < above.length; k++) {
    let count = 0;
    for (let bone = k; bone >= 0; bone = above[bone]) {
      const share = sharing.get(bone);
      if (share !== undefined) count += 1 + share.depth;
      else if (trackCount(products, bone) > 1) count++;
    }
    most = Math.max(most, count);
  }
  return most;
}

function stillTrack(plan: RetargetPlan, products: RotationProducts, k: number, table: TrackTable): Track[] {
  const value = new Float64Array(4);
  quat.normalize(value, 0, products.constants, constantOf(products, k));
  return constantTrack(plan.targetNodes[k], 'rotation', value, plan, hasTrack(plan, k, table));
}

/** The keys of the one track that turns a bone, carried over into `values`. */
function mappedTrack(plan: RetargetPlan, products: RotationProducts, k: number, values: Floats): Track {
  const only = products.first[k];
  const track = products.tracks[only];
  const constant = constantOf(products, k);
  sandwichMatrix(matrix, products.constants, constant, products.constants, constant + 4, products.inverted[only]);
  mapRotationKeys(values, track, matrix);
  const { interpolation, times } = track;
  return { target: plan.targetNodes[k], path: 'rotation', interpolation, times, values };
}

function resampledTrack(
  plan: RetargetPlan,
  products: RotationProducts,
  k: number,
  tolerance: number,
  duration: number,
  fps: number | undefined,
): Track {
  const tracks = products.tracks.slice(products.first[k], products.first[k + 1]);
  const evaluate = (time: number, out: Floats, o: number): void => sampleProduct(out, o, products, k, time);
  return resampled(plan.targetNodes[k], { path: 'rotation', tracks, tolerance, evaluate }, duration, fps);
}

/** Whether the clip says anything about the rotations on the path of a bone. */
function hasTrack(plan: RetargetPlan, k: number, table: TrackTable): boolean {
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    if (table.rotation[plan.pathNodes[entry]] !== undefined) return true;
  }
  return false;
}
