/** Rotation tracks of the target: keys mapped where one source rotation drives a bone, resampled where several do. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/constant.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { mapRotationKeys, sandwichMatrix, valueBuffers } from './map-keys.ts';
import type { RetargetPlan } from './retarget-plan.ts';
import { constantTrack, resampled } from './target-track.ts';
import type { TrackTable } from './track-table.ts';

/** Resampled rotations stay within this of the exact world rotation, radians: 0.005°. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;

/** The value of a track that never changes. */
function constantValue(track: Track, width: number): Floats {
  const at = track.interpolation === 'CUBICSPLINE' ? width : 0;
  return track.values.subarray(at, at + width);
}

/** A product of constants and tracks: `constants[0] · tracks[0] · constants[1] · tracks[1] · …`. */
interface RotationProduct {
  readonly constants: Float64Array;
  readonly tracks: readonly Track[];
  readonly inverted: readonly boolean[];
}

const value = new Float64Array(4);

/** Folds what does not change over the clip into the constants of a bone's path. */
function rotationProduct(plan: RetargetPlan, k: number, table: TrackTable): RotationProduct {
  const most = plan.pathStart[k + 1] - plan.pathStart[k] + 1;
  const constants = new Float64Array(4 * most);
  const tracks: Track[] = [];
  const inverted: boolean[] = [];
  quat.copy(constants, 0, plan.left, 4 * k);
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    const node = plan.pathNodes[entry];
    const isInverted = plan.pathInverted[entry] === 1;
    const track = table.rotation[node];
    if (track !== undefined && !isConstantTrack(track)) {
      tracks.push(track);
      inverted.push(isInverted);
      quat.identity(constants, 4 * tracks.length);
      continue;
    }
    if (track === undefined) quat.copy(value, 0, plan.sourceRest, 10 * node + 3);
    else quat.normalize(value, 0, constantValue(track, 4), 0);
    if (isInverted) quat.conjugate(value, 0, value, 0);
    quat.multiply(constants, 4 * tracks.length, constants, 4 * tracks.length, value, 0);
  }
  quat.multiply(constants, 4 * tracks.length, constants, 4 * tracks.length, plan.right, 4 * k);
  return { constants, tracks, inverted };
}

function evaluateProduct(product: RotationProduct, time: number, out: Floats, o: number, scratch: Float64Array): void {
  quat.copy(out, o, product.constants, 0);
  for (let t = 0; t < product.tracks.length; t++) {
    sampleTrack(product.tracks[t], time, scratch, 0);
    if (product.inverted[t]) quat.conjugate(scratch, 0, scratch, 0);
    quat.multiply(out, o, out, o, scratch, 0);
    quat.multiply(out, o, out, o, product.constants, 4 * (t + 1));
  }
  quat.normalize(out, o, out, o);
}

/** How many bones from `k` up to the root of the target are resampled: their errors add up in the world rotation of `k`. */
function resampledAbove(plan: RetargetPlan, products: readonly RotationProduct[], k: number): number {
  let count = 0;
  for (let bone = k; bone >= 0; bone = plan.above[bone]) if (products[bone].tracks.length > 1) count++;
  return count;
}

export function rotationTracks(
  plan: RetargetPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const products: RotationProduct[] = [];
  for (let k = 0; k < plan.bones.length; k++) products.push(rotationProduct(plan, k, table));
  const matrix = new Float64Array(16);
  const scratch = new Float64Array(4);
  let nested = 1;
  for (let k = 0; k < products.length; k++) nested = Math.max(nested, resampledAbove(plan, products, k));
  const isMapped = ({ tracks }: RotationProduct): boolean => tracks.length === 1 && fps === undefined;
  const buffers = valueBuffers(products.filter(isMapped).map(({ tracks }) => tracks[0]));
  let mapped = 0;
  const out: Track[] = [];
  for (let k = 0; k < products.length; k++) {
    const product = products[k];
    const { tracks, constants, inverted } = product;
    const target = plan.targetNodes[k];
    if (tracks.length === 0) {
      const value = new Float64Array(4);
      quat.normalize(value, 0, constants, 0);
      out.push(...constantTrack(target, 'rotation', value, plan, hasTrack(plan, k, table)));
    } else if (isMapped(product)) {
      const { interpolation, times } = tracks[0];
      const values = buffers[mapped++];
      sandwichMatrix(matrix, constants, 0, constants, 4, inverted[0]);
      mapRotationKeys(values, tracks[0], matrix);
      out.push({ target, path: 'rotation', interpolation, times, values });
    } else {
      const tolerance = ROTATION_TOLERANCE / nested;
      const evaluate = (time: number, to: Floats, o: number): void => evaluateProduct(product, time, to, o, scratch);
      out.push(resampled(target, { path: 'rotation', tracks, tolerance, evaluate }, duration, fps));
    }
  }
  return out;
}

/** Whether the clip says anything about the rotations on the path of a bone. */
function hasTrack(plan: RetargetPlan, k: number, table: TrackTable): boolean {
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    if (table.rotation[plan.pathNodes[entry]] !== undefined) return true;
  }
  return false;
}
