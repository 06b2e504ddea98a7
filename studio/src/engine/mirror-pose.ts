/** Mirrors a reference pose from the left side to the right one. */
import { BONE, BONES, type BoneName, type Humanoid } from 'anyrig';
import * as quat from '../../../src/core/math/quat.ts';

/** Gives every bone of the right side what its counterpart on the left does, relative to the T-pose of each. */
export function mirrorPose(edited: Humanoid, tPose: Humanoid): Humanoid {
  const rotations = Float64Array.from(edited.reference.rotations);
  const [delta, inverse] = [new Float64Array(4), new Float64Array(4)];
  for (const [left, name] of BONES.entries()) {
    if (!name.startsWith('left')) continue;
    const right = BONE[name.replace(/^left/, 'right') as BoneName];
    quat.conjugate(inverse, 0, tPose.reference.rotations, 4 * left);
    quat.multiply(delta, 0, edited.reference.rotations, 4 * left, inverse, 0);
    // Reflection in the plane between left and right, which is x = 0 in the canonical frame.
    delta[1] = -delta[1];
    delta[2] = -delta[2];
    quat.multiply(rotations, 4 * right, delta, 0, tPose.reference.rotations, 4 * right);
  }
  return { ...edited, reference: { ...edited.reference, rotations } };
}
