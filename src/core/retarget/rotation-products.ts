/** What is left of the paths of a plan once a clip is known: constants and the tracks that turn over the clip. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/constant.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { RetargetPlan } from './retarget-plan.ts';
import type { TrackTable } from './track-table.ts';

/**
 * The local rotation of every bone of a plan as a product of constants and tracks: `C₀ · T₀ · C₁ · T₁ · … · Cₙ`, n from 0 on. All
 * bones in one set of lists: a handful of small arrays for every bone would take longer to make than most clips to map.
 */
export interface RotationProducts {
  /** The tracks of bone k: first[k] … first[k + 1]. */
  readonly first: Int32Array;
  readonly tracks: readonly Track[];
  /** Which tracks enter inverted. */
  readonly inverted: readonly boolean[];
  /** xyzw, one more a bone than tracks: those of bone k start at {@link constantOf}. */
  readonly constants: Float64Array;
}

const value = new Float64Array(4);

/** Place of the first constant of bone k. */
export function constantOf({ first }: RotationProducts, k: number): number {
  return 4 * (first[k] + k);
}

/** How many tracks turn bone k. */
export function trackCount({ first }: RotationProducts, k: number): number {
  return first[k + 1] - first[k];
}

/** The rotation of a node that does not turn over the clip: that of its track, else of its rest. */
function stillRotation(out: Float64Array, plan: RetargetPlan, node: number, track: Track | undefined): void {
  if (track === undefined) quat.copy(out, 0, plan.sourceRest, 10 * node + 3);
  else quat.normalize(out, 0, track.values, track.interpolation === 'CUBICSPLINE' ? 4 : 0);
}

/** Folds what does not turn over the clip into the constants. */
export function rotationProducts(plan: RetargetPlan, table: TrackTable): RotationProducts {
  const { pathStart, pathNodes, pathInverted, left, right } = plan;
  const count = plan.bones.length;
  const first = new Int32Array(count + 1);
  const tracks: Track[] = [];
  const inverted: boolean[] = [];
  const constants = new Float64Array(4 * (pathNodes.length + count));
  let o = 0;
  for (let k = 0; k < count; k++) {
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
      stillRotation(value, plan, pathNodes[entry], track);
      if (isInverted) quat.conjugate(value, 0, value, 0);
      quat.multiply(constants, o, constants, o, value, 0);
    }
    quat.multiply(constants, o, constants, o, right, 4 * k);
    o += 4;
    first[k + 1] = tracks.length;
  }
  return { first, tracks, inverted, constants };
}

/** Writes the local rotation of bone k at a time. */
export function sampleProduct(out: Floats, o: number, products: RotationProducts, k: number, time: number): void {
  const { first, tracks, inverted, constants } = products;
  let constant = constantOf(products, k);
  quat.copy(out, o, constants, constant);
  for (let t = first[k]; t < first[k + 1]; t++) {
    sampleTrack(tracks[t], time, value, 0);
    if (inverted[t]) quat.conjugate(value, 0, value, 0);
    quat.multiply(out, o, out, o, value, 0);
    constant += 4;
    quat.multiply(out, o, out, o, constants, constant);
  }
  quat.normalize(out, o, out, o);
}
