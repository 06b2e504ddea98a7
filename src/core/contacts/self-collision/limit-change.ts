/** Limits how much contacts change the gesture of an arm: people see the pose before they see that skin overlaps, or that a hand hovers. */
import * as vec3 from '../../math/vec3.ts';
import { createArmPose, rotateArm, UNKNOWNS } from './arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';

/** Change of a direction that none exceeds, radians: from here on a gesture looks like another one. Tuned by eye, as the next one. */
export const MOST_SOFT_CHANGE = (12 * Math.PI) / 180;
/** The same for hands that touch: without the touch the gesture is another one too. 25°, less 0.3° that frames between keys may add. */
export const MOST_CHANGE = (24.7 * Math.PI) / 180;
/** The same for hands that brush past: 4°, which nobody sees in a walk, less what easing and frames between keys may add. */
export const MOST_BRUSH_CHANGE = (3.3 * Math.PI) / 180;
/** Scalings of the rotations of a frame, of which each comes nearer to the wanted change, up to this of it: of 1.6 rad up to 14, of 2.4 rad more. */
const ROUNDS = 20;
const NEAR = 1.001;

const pose = createArmPose();
const before = new Float64Array(3);
const after = new Float64Array(3);

/** Angle by which the direction from one joint to the next changes, radians. */
function directionChange(bones: Float64Array, from: number, to: number, rotation: Float64Array): number {
  vec3.subtract(before, 0, bones, to + POSITION_OFFSET, bones, from + POSITION_OFFSET);
  vec3.rotate(after, 0, rotation, 0, before, 0);
  return vec3.angleBetween(before, 0, after, 0);
}

/** Returns the larger change of the world directions of upper arm and forearm in a frame, radians. */
export function gestureChange(
  arm: Arm,
  trunkBone: number,
  bones: Float64Array,
  frame: number,
  unknowns: Float64Array,
): number {
  const b = FRAME_STRIDE * frame;
  const [upper, lower, hand] = arm.bones.map((bone) => b + BONE_STRIDE * bone);
  rotateArm(pose, arm, trunkBone, bones, b, unknowns, UNKNOWNS * frame);
  return Math.max(directionChange(bones, upper, lower, pose.upper), directionChange(bones, lower, hand, pose.lower));
}

/** Returns the change that is made of a wanted one: itself up to `free`, below `most`, and smooth. */
export function limitedChange(change: number, free: number, most: number): number {
  if (change <= free) return change;
  return free >= most ? most : free + (most - free) * (1 - Math.exp(-(change - free) / (most - free)));
}

/**
 * Limits the rotations of an arm in every frame, in place. `most`: change of the direction of upper arm or forearm that none exceeds, radians, per
 * frame. `free`: change up to which an arm is moved as far as it takes, radians, per frame: what is beyond approaches `most`.
 */
export function limitChange(
  arm: Arm,
  trunkBone: number,
  bones: Float64Array,
  unknowns: Float64Array,
  most: (frame: number) => number,
  free: (frame: number) => number,
): void {
  for (let frame = 0, u = 0; u < unknowns.length; frame++, u += UNKNOWNS) {
    const limit = most(frame);
    const kept = Math.min(free(frame), limit);
    let change = gestureChange(arm, trunkBone, bones, frame, unknowns);
    if (change <= kept) continue;
    const wanted = limitedChange(change, kept, limit);
    // The change of a direction is not quite as large as its rotations are.
    for (let round = 0; round < ROUNDS && change > NEAR * wanted; round++) {
      for (let c = u; c < u + UNKNOWNS; c++) unknowns[c] *= wanted / change;
      change = gestureChange(arm, trunkBone, bones, frame, unknowns);
    }
  }
}
