/** How much the hips of the target are raised or lowered. */
import {
  FOOT_WEIGHT,
  FREE_WEIGHT,
  HIPS_BENDING,
  HIPS_STIFFNESS,
  TRUNK_IN_AIR,
  TRUNK_ON_GROUND,
  TRUNK_WEIGHT,
} from '../constants.ts';
import { smoothstep } from '../paths/ease.ts';
import { solvePath } from '../paths/solve-path.ts';
import type { Timing } from '../paths/timing.ts';

/** Weight of the height of a flight, as those of `constants.ts`. */
const FLIGHT_WEIGHT = 20;

/** A wish for the height of the hips: meters above plain retargeting, and a weight 0…1, per frame. */
export interface HeightWish {
  /** Meters above plain retargeting. */
  readonly heights: Float64Array;
  /** How much it counts, 0…1. */
  readonly weights: Float64Array;
}

/** Computes how much a trunk is on the ground. `clearance`: height of its lowest point without feet above the ground, per frame, meters. */
export function trunkContact(clearance: Float64Array, legLength: number): Float64Array {
  const out = new Float64Array(clearance.length);
  for (let frame = 0; frame < out.length; frame++)
    out[frame] = smoothstep(TRUNK_IN_AIR, TRUNK_ON_GROUND, clearance[frame] / legLength);
  return out;
}

/**
 * Finds a smooth height of the hips: that of the trunk where it is on the ground, else the mean of what the planted feet want, so that the legs
 * keep their bend; that of plain retargeting, or less, in the air. Returns meters above plain retargeting, per frame.
 */
export function findHipsRaise(
  trunk: HeightWish,
  feet: readonly HeightWish[],
  flight: HeightWish,
  { step, loops }: Timing,
): Float64Array {
  const count = trunk.weights.length;
  const data = new Float64Array(count);
  const dataWeights = new Float64Array(count);
  for (let frame = 0; frame < count; frame++) {
    const onTrunk = trunk.weights[frame];
    let sum = TRUNK_WEIGHT * onTrunk ** 2;
    let wanted = sum > 0 ? sum * (trunk.heights[frame] - flight.heights[frame]) : 0;
    for (const { heights, weights } of feet) {
      const weight = FOOT_WEIGHT * weights[frame] ** 2 * (1 - onTrunk) ** 2;
      sum += weight;
      wanted += weight * (heights[frame] - flight.heights[frame]);
    }
    sum += (FREE_WEIGHT + FLIGHT_WEIGHT * flight.weights[frame]) * (1 - onTrunk) ** 2;
    dataWeights[frame] = sum;
    data[frame] = sum > 0 ? wanted / sum : 0;
  }
  const stiffness = new Float64Array(Math.max(0, count - 1)).fill(HIPS_STIFFNESS);
  const path = solvePath({
    width: 1,
    data,
    dataWeights,
    changes: null,
    stiffness,
    bending: HIPS_BENDING,
    step,
    isLoop: loops,
  });
  for (let frame = 0; frame < count; frame++) path[frame] += flight.heights[frame];
  return path;
}
