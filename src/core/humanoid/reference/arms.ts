/** Arms in the T-pose: along X, elbows that bend the forearm to the front. */
import { armLean } from './lean.ts';
import { alignLimb, type LimbShape, limbConfidence, limbReason } from './limbs.ts';
import { boneOf, DOWN, find, followParent, has, type Side, type TurnedBody } from './turned-body.ts';

/** The left elbow bends the forearm to the front about −Y, the right one about +Y. An arm across the body is lowered first, then raised sideways. */
function armShape(side: Side, lean: number): LimbShape {
  return {
    side,
    bones: ['UpperArm', 'LowerArm', 'Hand'],
    way: DOWN,
    hinge: side === 'left' ? [0, -1, 0] : [0, 1, 0],
    joint: 'elbow',
    lean,
  };
}

/**
 * Lays an arm along X. The shoulder stays as the trunk carries it: a drooping collar bone is the character's. `trunkLean` is how far the
 * trunk leans to the front, radians.
 */
export function alignArm(body: TurnedBody, side: Side, trunkLean: number): void {
  const upper = boneOf(side, 'UpperArm');
  if (!has(body, upper)) return;
  followParent(body, upper);
  const shape = armShape(side, armLean(body, side, trunkLean));
  const alignment = alignLimb(body, shape);
  find(body, `${side}Arm`, limbConfidence(alignment), limbReason(alignment, shape));
}
