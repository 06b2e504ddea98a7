/** Distances of the points of an arm before it is rotated. What is far from the character then cannot touch it after a small rotation. */
import * as vec3 from '../../math/vec3.ts';
import { type ArmPose, UNKNOWNS } from './arm-pose.ts';
import type { Arm, LimbPoint } from './limb-points.ts';

/** Distances in all frames, meters. */
export interface ArmDistances {
  /** Largest depth that a point can have in a part by its distance alone, per frame, point and part. */
  readonly depths: Float64Array;
  /** Largest distance that a point can have from the shoulder, whatever the angle of the elbow; per frame and point. */
  readonly fromShoulder: Float64Array;
  /** Distance of a point from the elbow, 0 for those of the upper arm; per frame and point. */
  readonly fromElbow: Float64Array;
}

/** Creates buffers for the distances of an arm. */
export function createArmDistances({ points }: Arm, parts: number, count: number): ArmDistances {
  const size = points.length * count;
  return {
    depths: new Float64Array(parts * size),
    fromShoulder: new Float64Array(size),
    fromElbow: new Float64Array(size),
  };
}

/**
 * Measures the distances of a point from shoulder and elbow.
 *
 * @param out Receives them at `at`.
 */
export function measureLevers(out: ArmDistances, at: number, pose: ArmPose, { isUpper }: LimbPoint): void {
  out.fromElbow[at] = isUpper ? 0 : vec3.distance(pose.point, 0, pose.elbow, 0);
  out.fromShoulder[at] = isUpper
    ? vec3.distance(pose.point, 0, pose.shoulder, 0)
    : vec3.distance(pose.elbow, 0, pose.shoulder, 0) + out.fromElbow[at];
}

/** Computes how far a point can move at most: a rotation moves it by less than its arc. */
export function longestTravel(
  { fromShoulder, fromElbow }: ArmDistances,
  at: number,
  unknowns: Float64Array,
  u: number,
): number {
  return vec3.length(unknowns, u) * fromShoulder[at] + Math.abs(unknowns[u + UNKNOWNS - 1]) * fromElbow[at];
}
