import type { Side } from '../../bones.ts';
import { addFinding, boneOf, DOWN, type EstimatorState, followParent, hasBone } from '../estimator-state.ts';
import { measureArmLean } from './lean.ts';
import { alignLimb, type LimbSpec, limbConfidence, limbReason } from './limbs.ts';

/** The left elbow bends the forearm to the front about −Y, the right one about +Y. An arm across the chest is lowered first, then raised sideways. */
function armSpec(side: Side, lean: number): LimbSpec {
  return {
    side,
    bones: ['UpperArm', 'LowerArm', 'Hand'],
    via: DOWN,
    hinge: side === 'left' ? [0, -1, 0] : [0, 1, 0],
    joint: 'elbow',
    lean,
  };
}

/**
 * Aligns an arm along X. The shoulder keeps the correction of the trunk: a drooping collar bone belongs to the character. `trunkLean`: to the front,
 * radians.
 */
export function alignArm(state: EstimatorState, side: Side, trunkLean: number): void {
  const upper = boneOf(side, 'UpperArm');
  if (!hasBone(state, upper)) return;
  followParent(state, upper);
  const spec = armSpec(side, measureArmLean(state, side, trunkLean));
  const alignment = alignLimb(state, spec);
  addFinding(state, `${side}Arm`, limbConfidence(alignment), limbReason(alignment, spec));
}
