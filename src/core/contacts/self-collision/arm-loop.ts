import { BONE, SIDES } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from './bone-frames.ts';

/** Joints that are where they were, relative to the trunk, at the end of a loop. */
const LOOP_BONES = SIDES.flatMap((side) => [BONE[`${side}LowerArm`], BONE[`${side}Hand`], BONE[`${side}LowerLeg`]]);
/** Greatest difference between the two ends of a loop, relative to the height: contacts with the ground put legs up to 0.5 % of it apart. */
const LOOP_TOLERANCE = 0.01;

/** Tells whether arms and thighs end where they began, relative to the trunk. */
export function isArmLoop({ map, height }: Humanoid, trunkBone: number, bones: Float64Array): boolean {
  const last = bones.length - FRAME_STRIDE;
  if (last < 2 * FRAME_STRIDE) return false;
  const relative = new Float64Array(6);
  const inverse = new Float64Array(4);
  return LOOP_BONES.every((bone) => {
    if (map.nodes[bone] < 0) return true;
    for (const [k, b] of [0, last].entries()) {
      const trunk = b + BONE_STRIDE * trunkBone;
      const joint = b + BONE_STRIDE * bone + POSITION_OFFSET;
      quat.conjugate(inverse, 0, bones, trunk);
      vec3.subtract(relative, 3 * k, bones, joint, bones, trunk + POSITION_OFFSET);
      vec3.rotate(relative, 3 * k, inverse, 0, relative, 3 * k);
    }
    return vec3.distance(relative, 0, relative, 3) <= LOOP_TOLERANCE * height;
  });
}
