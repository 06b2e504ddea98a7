import type { Side } from '../../bones.ts';
import {
  addFinding,
  boneOf,
  type EstimatorState,
  FRONT,
  followParent,
  formatDegrees,
  hasBone,
  LEFT,
} from '../estimator-state.ts';
import { digitigradeBend, type LegStance } from '../leg-stance.ts';
import { alignLimb, type LimbSpec, limbConfidence, limbReason } from './limbs.ts';

/** Knees bend the shin back about +X. A leg above the head is lowered via the front. */
function legSpec(side: Side): LimbSpec {
  return { side, bones: ['UpperLeg', 'LowerLeg', 'Foot'], via: FRONT, hinge: LEFT, joint: 'knee', lean: 0 };
}

/** Aligns a leg straight down. A digitigrade leg keeps its pose. */
export function alignLeg(state: EstimatorState, side: Side, stance: LegStance): void {
  if (!hasBone(state, boneOf(side, 'UpperLeg'))) return;
  if (stance === 'digitigrade') {
    const bend = digitigradeBend(state, side) ?? 0;
    followParent(state, boneOf(side, 'UpperLeg'));
    followParent(state, boneOf(side, 'LowerLeg'));
    addFinding(
      state,
      `${side}Leg`,
      0.6,
      `knee bent by ${formatDegrees(bend)} above a raised heel (digitigrade): pose kept`,
    );
    return;
  }
  const spec = legSpec(side);
  const alignment = alignLimb(state, spec);
  addFinding(state, `${side}Leg`, limbConfidence(alignment), limbReason(alignment, spec));
}
