/** How the legs of a body stand in a pose: as at rest, as in movement, or as those of an animal that walks on its toes. */
import * as vec3 from '../../math/vec3.ts';
import { deviationFromTPose } from './t-pose.ts';
import { boneOf, DEGREES, DOWN, has, type Side, type TurnedBody, turnedSegment } from './turned-body.ts';

export type Stance = 'standing' | 'moving' | 'digitigrade';

/** Legs of a pose at rest are not further off a T-pose than this, degrees: an A-pose spreads them, CMU's zero pose by 20. */
export const STRIDE_LIMIT = 22;

/** Of the leg of an animal that walks on its toes: the knee is bent at least this far, radians … */
const BENT = 35 / DEGREES;
/** … the other one as far, but for this … */
const ALIKE = 10 / DEGREES;
/** … its foot is no further than this from the vertical … */
const STEEP = 40 / DEGREES;
/** … and at least this long, against the shin. */
const LONG_FOOT = 0.35;

/** By how much a knee is bent where thigh, shin and foot stand as those of an animal that walks on its toes; null where they do not. */
export function digitigradeBend(body: TurnedBody, side: Side): number | null {
  const bones = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'].map((part) => boneOf(side, part));
  if (!bones.every((bone) => has(body, bone))) return null;
  const [thigh, shin, foot] = [0, 1, 2].map((k) => turnedSegment(body, bones[k], bones[k + 1], bones[0]));
  const bend = vec3.angleBetween(thigh, 0, shin, 0);
  if (bend < BENT || vec3.angleBetween(foot, 0, DOWN, 0) > STEEP) return null;
  // The thigh goes to the front and the shin back: the paw is below the hip again.
  if (!(thigh[2] > 0 && shin[2] < 0) || vec3.length(foot, 0) < LONG_FOOT * vec3.length(shin, 0)) return null;
  return bend;
}

/** The stance of a body that has only been turned as a whole. `start`: positions of the bones in the pose so turned. */
export function stanceOf(body: TurnedBody, start: Float64Array): Stance {
  const left = digitigradeBend(body, 'left');
  const right = digitigradeBend(body, 'right');
  if (left !== null && right !== null && Math.abs(left - right) < ALIKE) return 'digitigrade';
  const { leftLeg = 0, rightLeg = 0 } = deviationFromTPose(start, body.nodes);
  return Math.max(leftLeg, rightLeg) > STRIDE_LIMIT ? 'moving' : 'standing';
}
