/** Limits how much keeping an arm out of the character changes its gesture: people see the pose before they see that skin overlaps. */
import * as vec3 from '../../math/vec3.ts';
import { createArmPose, rotateArm, UNKNOWNS } from './arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';

/** Change of the direction of upper arm or forearm up to which an arm is moved as far as it takes, radians: it is not seen. */
const FREE = (2.5 * Math.PI) / 180;
/** Change that none exceeds, radians: from here on a gesture looks like another one. What is beyond {@link FREE} approaches it. */
const MOST = (12 * Math.PI) / 180;

const pose = createArmPose();
const before = new Float64Array(3);
const after = new Float64Array(3);

/** Angle by which the direction from one joint to the next changes, radians. */
function directionChange(bones: Float64Array, from: number, to: number, rotation: Float64Array): number {
  vec3.subtract(before, 0, bones, to + POSITION_OFFSET, bones, from + POSITION_OFFSET);
  vec3.rotate(after, 0, rotation, 0, before, 0);
  return vec3.angleBetween(before, 0, after, 0);
}

/** Returns the larger change of the world directions of upper arm and forearm, radians. */
function gestureChange(
  arm: Arm,
  trunkBone: number,
  bones: Float64Array,
  frame: number,
  unknowns: Float64Array,
  u: number,
): number {
  const b = FRAME_STRIDE * frame;
  const [upper, lower, hand] = arm.bones.map((bone) => b + BONE_STRIDE * bone);
  rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
  return Math.max(directionChange(bones, upper, lower, pose.upper), directionChange(bones, lower, hand, pose.lower));
}

/** Returns the change that is made of a wanted one: itself up to {@link FREE}, below {@link MOST}, and smooth. */
function limited(change: number): number {
  return change <= FREE ? change : FREE + (MOST - FREE) * (1 - Math.exp(-(change - FREE) / (MOST - FREE)));
}

/** Limits the rotations of an arm in every frame, in place. */
export function limitChange(arm: Arm, trunkBone: number, bones: Float64Array, unknowns: Float64Array): void {
  for (let frame = 0, u = 0; u < unknowns.length; frame++, u += UNKNOWNS) {
    const change = gestureChange(arm, trunkBone, bones, frame, unknowns, u);
    if (change <= FREE) continue;
    const factor = limited(change) / change;
    for (let c = u; c < u + UNKNOWNS; c++) unknowns[c] *= factor;
  }
}
