/** Twist joints at run time: no allocation, no exception. */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import type { TwistPlan } from '../plan-types.ts';

/** Within 23° of a swing by 180° the twist is ill-defined: it fades out. */
const CLEAR_TWIST = 0.2;

const delta = new Float64Array(4);

/** Scales the angle of `delta` by the fraction, about its own axis, the shorter way round. */
function scaleRotation({ fraction }: TwistPlan): void {
  const sign = delta[3] < 0 ? -1 : 1;
  const sine = Math.sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]);
  const half = fraction * Math.atan2(sine, sign * delta[3]);
  const factor = sine > 0 ? (sign * Math.sin(half)) / sine : 0;
  for (let c = 0; c < 3; c++) delta[c] *= factor;
  delta[3] = Math.cos(half);
}

function scaleTwist({ fraction }: TwistPlan, axis: Float64Array): void {
  const sign = delta[3] < 0 ? -1 : 1;
  const along = sign * (delta[0] * axis[0] + delta[1] * axis[1] + delta[2] * axis[2]);
  const squared = along * along + delta[3] * delta[3];
  const clear = Math.min(1, squared / (CLEAR_TWIST * CLEAR_TWIST));
  const half = fraction * clear * Math.atan2(along, sign * delta[3]);
  const sine = Math.sin(half);
  for (let c = 0; c < 3; c++) delta[c] = sine * axis[c];
  delta[3] = Math.cos(half);
}

/**
 * Computes the rotation of a twist joint, or the rotation that a bone gets in front of its own: `left · Δᶠ · right` with `Δ = before · q · after`,
 * f the fraction, and q the local rotation of the driver with the nodes above it at rest. `out` receives xyzw at `o`. `q`: rotation of the driver,
 * xyzw at `i`.
 */
export function twistRotation(out: Floats, o: number, plan: TwistPlan, q: ArrayLike<number>, i: number): void {
  quat.multiply(delta, 0, plan.before, 0, q, i);
  quat.multiply(delta, 0, delta, 0, plan.after, 0);
  quat.normalize(delta, 0, delta, 0);
  if (plan.axis === null) scaleRotation(plan);
  else scaleTwist(plan, plan.axis);
  quat.multiply(delta, 0, plan.left, 0, delta, 0);
  quat.multiply(delta, 0, delta, 0, plan.right, 0);
  quat.normalize(out, o, delta, 0);
}
