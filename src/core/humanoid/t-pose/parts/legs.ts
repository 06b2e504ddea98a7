import type { Side } from '../../bones.ts';
import type { PartFinding } from '../../humanoid.ts';
import { boneOf, type EstimatorState, FRONT, followParent, formatDegrees, hasBone, LEFT } from '../estimator-state.ts';
import { digitigradeBend, type LegStance } from '../leg-stance.ts';
import { alignLimb, type LimbSpec, limbConfidence, limbReason } from './limbs.ts';

/** Knees bend the shin back about +X. A leg above the head is lowered via the front. */
function legSpec(side: Side): LimbSpec {
  return { side, bones: ['UpperLeg', 'LowerLeg', 'Foot'], via: FRONT, hinge: LEFT, joint: 'knee', lean: 0 };
}

/** Aligns a leg straight down. A digitigrade leg keeps its pose. Returns its finding, none without a leg. */
export function alignLeg(state: EstimatorState, side: Side, stance: LegStance): PartFinding[] {
  if (!hasBone(state, boneOf(side, 'UpperLeg'))) return [];
  const part = `${side}Leg` as const;
  if (stance === 'digitigrade') {
    const bend = digitigradeBend(state, side) ?? 0;
    followParent(state, boneOf(side, 'UpperLeg'));
    followParent(state, boneOf(side, 'LowerLeg'));
    const reason = `knee bent by ${formatDegrees(bend)} above a raised heel (digitigrade): pose kept`;
    return [{ part, confidence: 0.6, reason }];
  }
  const spec = legSpec(side);
  const alignment = alignLimb(state, spec);
  return [{ part, confidence: limbConfidence(alignment), reason: limbReason(alignment, spec) }];
}
