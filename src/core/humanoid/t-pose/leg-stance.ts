import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Side } from '../bones.ts';
import { boneOf, correctedSegment, DOWN, type EstimatorState, hasBone } from './estimator-state.ts';
import { deviationFromTPose } from './t-pose-chains.ts';

/** How the legs are posed. Digitigrade legs are those of an animal that walks on its toes. */
export type LegStance = 'standing' | 'moving' | 'digitigrade';

/** Maximum deviation of the legs of a rest pose from a T-pose, degrees. An A-pose spreads them; the zero pose of CMU by 20. */
export const MAX_REST_DEVIATION = 22;

/** Digitigrade legs bend the knee at least this far, radians. */
const BENT = 35 / DEGREES_PER_RADIAN;
/** Maximum difference between both knees of a digitigrade character, radians. */
const ALIKE = 10 / DEGREES_PER_RADIAN;
/** Maximum angle of a digitigrade foot to the vertical, radians. */
const STEEP = 40 / DEGREES_PER_RADIAN;
/** Minimum length of a digitigrade foot, as a fraction of the shin. */
const LONG_FOOT = 0.35;

/**
 * Measures the bend of the knee of a digitigrade leg. Returns radians; null when thigh, shin and foot are not those of an animal that walks on its
 * toes.
 */
export function digitigradeBend(state: EstimatorState, side: Side): number | null {
  const bones = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((part) => boneOf(side, part));
  if (!bones.every((bone) => hasBone(state, bone))) return null;
  const [thigh, shin, foot] = [0, 1, 2].map((k) => correctedSegment(state, bones[k], bones[k + 1], bones[0]));
  const bend = vec3.angleBetween(thigh, 0, shin, 0);
  if (bend < BENT || vec3.angleBetween(foot, 0, DOWN, 0) > STEEP) return null;
  // The thigh goes forward and the shin back, so that the paw is below the hip.
  if (!(thigh[2] > 0 && shin[2] < 0) || vec3.length(foot, 0) < LONG_FOOT * vec3.length(shin, 0)) return null;
  return bend;
}

/** Whether the motion plants the feet flat, as a runner does whose knees are bent on average. */
function plantsFlatFeet({ plantedSlope }: EstimatorState): boolean {
  const slope = plantedSlope();
  return slope !== null && slope < Math.PI / 2 - STEEP;
}

/** Classifies the stance of a character whose bones are rotated by the frame only. `start`: position per bone, xyz, canonical frame. */
export function classifyStance(state: EstimatorState, start: Float64Array, isAnimated: boolean): LegStance {
  const left = digitigradeBend(state, 'left');
  const right = digitigradeBend(state, 'right');
  const isAlike = left !== null && right !== null && Math.abs(left - right) < ALIKE;
  if (isAlike && !(isAnimated && plantsFlatFeet(state))) return 'digitigrade';
  const { leftLeg = 0, rightLeg = 0 } = deviationFromTPose(start, state.nodes);
  return Math.max(leftLeg, rightLeg) > MAX_REST_DEVIATION ? 'moving' : 'standing';
}
