/** The run-time side of nodes that take a share of the turn of a bone. No allocation, no exception. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { SharePlan } from './retarget-plan.ts';

/** Where a bone swings to within 23° of the opposite direction its twist loses its meaning and fades out. */
const CLEAR_TWIST = 0.2;

const turn = new Float64Array(4);

/** The rotation in `turn` times the share, about its own axis, the shorter way round. */
function wholeShare({ share }: SharePlan): void {
  const sign = turn[3] < 0 ? -1 : 1;
  const sine = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  const half = share * Math.atan2(sine, sign * turn[3]);
  const factor = sine > 0 ? (sign * Math.sin(half)) / sine : 0;
  for (let c = 0; c < 3; c++) turn[c] *= factor;
  turn[3] = Math.cos(half);
}

/** Its twist about an axis times the share. */
function twistShare({ share }: SharePlan, axis: Float64Array): void {
  const sign = turn[3] < 0 ? -1 : 1;
  const along = sign * (turn[0] * axis[0] + turn[1] * axis[1] + turn[2] * axis[2]);
  const squared = along * along + turn[3] * turn[3];
  const clear = Math.min(1, squared / (CLEAR_TWIST * CLEAR_TWIST));
  const half = share * clear * Math.atan2(along, sign * turn[3]);
  const sine = Math.sin(half);
  for (let c = 0; c < 3; c++) turn[c] = sine * axis[c];
  turn[3] = Math.cos(half);
}

/**
 * The rotation that a share puts into the place of a node, or of a bone in front of its own: `left · Δˢ · right` with
 * `Δ = before · q · after`, q the local rotation of the driver (xyzw at i) below nodes at rest.
 */
export function shareRotation(out: Floats, o: number, plan: SharePlan, q: ArrayLike<number>, i: number): void {
  quat.multiply(turn, 0, plan.before, 0, q, i);
  quat.multiply(turn, 0, turn, 0, plan.after, 0);
  quat.normalize(turn, 0, turn, 0);
  if (plan.axis === null) wholeShare(plan);
  else twistShare(plan, plan.axis);
  quat.multiply(turn, 0, plan.left, 0, turn, 0);
  quat.multiply(turn, 0, turn, 0, plan.right, 0);
  quat.normalize(out, o, turn, 0);
}
