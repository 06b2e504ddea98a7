/** The rotation paths of a plan for one clip: what is constant over the clip is multiplied together, the rest stays as tracks. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { RetargetPlan } from './plan-types.ts';
import type { TrackTable } from './track-table.ts';

/**
 * The local rotation of every bone of a plan as a product of constants and tracks: `C₀ · T₀ · C₁ · T₁ · … · Cₙ`, with any number of tracks.
 * All bones share one set of arrays: a few small arrays per bone would take longer to allocate than most clips to map.
 */
export interface RotationProducts {
  /** Index of the first track of bone k. */
  readonly first: readonly number[];
  /** Number of tracks of bone k; 0 for a constant rotation. */
  readonly trackCounts: readonly number[];
  /** The tracks that rotate over the clip. */
  readonly tracks: readonly Track[];
  /** True for tracks that are inverted in the product. */
  readonly inverted: readonly boolean[];
  /** Offset in {@link constants} of the first constant of bone k. */
  readonly start: readonly number[];
  /** xyzw; per bone one more than it has tracks. */
  readonly constants: Float64Array;
}

const value = new Float64Array(4);

/** Writes the rotation of a node that is constant over the clip: that of its track, else of its rest. */
function constantRotation(out: Float64Array, plan: RetargetPlan, node: number, track: Track | undefined): void {
  if (track === undefined) quat.copy(out, 0, plan.sourceRest, POSE_STRIDE * node + PATH_OFFSET.rotation);
  else quat.normalize(out, 0, track.values, track.interpolation === 'CUBICSPLINE' ? 4 : 0);
}

/** Constants of the last call, for all clips: a new buffer would take as long as mapping the keys of ten bones. */
let buffer = new Float64Array(0);

/**
 * Multiplies together what is constant over a clip on the paths of bones. `bones`: the bones, as ascending indices of `plan.bones`. The others get
 * neither tracks nor constants.
 */
export function createRotationProducts(
  plan: RetargetPlan,
  table: TrackTable,
  bones: readonly number[],
): RotationProducts {
  const { pathStart, pathNodes, pathInverted, left, right } = plan;
  const tracks: Track[] = [];
  const inverted: boolean[] = [];
  const first: number[] = new Array(plan.bones.length).fill(0);
  const trackCounts: number[] = new Array(plan.bones.length).fill(0);
  const start: number[] = new Array(plan.bones.length).fill(0);
  let size = 0;
  for (const k of bones) size += 4 * (1 + pathStart[k + 1] - pathStart[k]);
  if (buffer.length < size) buffer = new Float64Array(size);
  const constants = buffer;
  let o = 0;
  for (const k of bones) {
    first[k] = tracks.length;
    start[k] = o;
    quat.copy(constants, o, left, 4 * k);
    for (let entry = pathStart[k]; entry < pathStart[k + 1]; entry++) {
      const track = table.rotation[pathNodes[entry]];
      const isInverted = pathInverted[entry] === 1;
      if (track !== undefined && !isConstantTrack(track)) {
        tracks.push(track);
        inverted.push(isInverted);
        o += 4;
        quat.identity(constants, o);
        continue;
      }
      constantRotation(value, plan, pathNodes[entry], track);
      if (isInverted) quat.conjugate(value, 0, value, 0);
      quat.multiply(constants, o, constants, o, value, 0);
    }
    quat.multiply(constants, o, constants, o, right, 4 * k);
    o += 4;
    trackCounts[k] = tracks.length - first[k];
  }
  return { first, trackCounts, tracks, inverted, start, constants };
}

/** Evaluates the local rotation of a bone. `out` receives xyzw at `o`. */
export function sampleProduct(out: Floats, o: number, products: RotationProducts, k: number, time: number): void {
  const { first, trackCounts, tracks, inverted, start, constants } = products;
  let constant = start[k];
  quat.copy(out, o, constants, constant);
  for (let t = first[k]; t < first[k] + trackCounts[k]; t++) {
    sampleTrack(tracks[t], time, value, 0);
    if (inverted[t]) quat.conjugate(value, 0, value, 0);
    quat.multiply(out, o, out, o, value, 0);
    constant += 4;
    quat.multiply(out, o, out, o, constants, constant);
  }
  quat.normalize(out, o, out, o);
}
