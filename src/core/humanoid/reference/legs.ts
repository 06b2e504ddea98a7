/** Legs in the T-pose: straight down, knees that bend the shin back. */
import { alignLimb, type LimbShape, limbConfidence, limbReason } from './limbs.ts';
import { digitigradeBend, type Stance } from './stance.ts';
import { boneOf, degrees, FRONT, find, followParent, has, LEFT, type Side, type TurnedBody } from './turned-body.ts';

/** Knees bend the shin back about +X. A leg above the head is lowered by way of the front. */
function legShape(side: Side): LimbShape {
  return { side, bones: ['UpperLeg', 'LowerLeg', 'Foot'], way: FRONT, hinge: LEFT, joint: 'knee', lean: 0 };
}

/** Straightens a leg downward; that of an animal that walks on its toes stays as it stands at rest. */
export function alignLeg(body: TurnedBody, side: Side, stance: Stance): void {
  if (!has(body, boneOf(side, 'UpperLeg'))) return;
  if (stance === 'digitigrade') {
    const bend = digitigradeBend(body, side) ?? 0;
    followParent(body, boneOf(side, 'UpperLeg'));
    followParent(body, boneOf(side, 'LowerLeg'));
    find(body, `${side}Leg`, 0.6, `knee bent by ${degrees(bend)} above a raised heel: left as it stands`);
    return;
  }
  const shape = legShape(side);
  const alignment = alignLimb(body, shape);
  find(body, `${side}Leg`, limbConfidence(alignment), limbReason(alignment, shape));
}
