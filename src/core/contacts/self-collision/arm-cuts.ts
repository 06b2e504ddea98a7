/** Jumps of arms from one frame to the next: clips of motion capture often start with one frame of a T-pose. */
import { BONE, SIDES } from '../../humanoid/bones.ts';
import * as quat from '../../math/quat.ts';
import { BONE_STRIDE, FRAME_STRIDE } from './bone-frames.ts';

/** Rotation of an upper arm relative to the trunk from one frame to the next, radians and radians per second, beyond both of which it is a jump. */
const ARM_JUMP_ANGLE = 0.5;
const ARM_JUMP_SPEED = 60;

const UPPER_ARMS = SIDES.map((side) => BONE[`${side}UpperArm`]);

/** Finds the frames in which an arm is elsewhere than it can have moved to since the frame before. */
export function findArmCuts(trunkBone: number, bones: Float64Array, step: number): Uint8Array {
  const cuts = new Uint8Array(bones.length / FRAME_STRIDE);
  const limit = Math.max(ARM_JUMP_ANGLE, ARM_JUMP_SPEED * step);
  const [inverse, now, before] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  for (const bone of UPPER_ARMS) {
    for (let frame = 0; frame < cuts.length; frame++) {
      const at = FRAME_STRIDE * frame;
      quat.conjugate(inverse, 0, bones, at + BONE_STRIDE * trunkBone);
      quat.multiply(now, 0, inverse, 0, bones, at + BONE_STRIDE * bone);
      // Absent bones are zeros.
      const isKnown = quat.dot(now, 0, now, 0) > 0;
      if (frame > 0 && isKnown && quat.angleBetween(now, 0, before, 0) > limit) cuts[frame] = 1;
      quat.copy(before, 0, now, 0);
    }
  }
  return cuts;
}
