import * as quat from '../math/quat.ts';

const swing = new Float64Array(4);
const UP = [0, 1, 0] as const;

/**
 * Computes the heading of a rotation: its part about the vertical. `twist` receives the part about the vertical, xyzw. `q`: rotation in the
 * canonical frame, xyzw, unit. Returns radians, −π to π, positive to the left.
 */
export function yawOf(twist: Float64Array, q: Float64Array): number {
  quat.swingTwist(swing, 0, twist, 0, q, 0, UP, 0);
  return 2 * Math.atan2(twist[1], twist[3]);
}
