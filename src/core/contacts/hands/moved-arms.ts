import { BONE } from '../../humanoid/bones.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import {
  type ArmPose,
  byRotationVector,
  createArmPose,
  pointGradient,
  rotateArm,
  trunkRotation,
  UNKNOWNS,
} from '../self-collision/arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from '../self-collision/bone-frames.ts';
import type { Arm } from '../self-collision/limb-points.ts';
import { handBones } from './touch-parts.ts';

/** Unknowns of an arm that touches, per frame: those of the arm, then a rotation vector of the hand in the axes of the trunk, radians. */
export const TOUCH_UNKNOWNS: number = UNKNOWNS + 3;

interface MovedArm {
  readonly arm: Arm;
  /** Offset of its unknowns in those of all arms. */
  readonly unknown: number;
  readonly pose: ArmPose;
  /** Rotation vector of the hand in the axes of the trunk, radians, and the rotation in world space, xyzw. */
  readonly handVector: Float64Array;
  readonly handRotation: Float64Array;
  readonly hand: readonly number[];
}

export interface MovedArms {
  readonly arms: readonly MovedArm[];
  /** Number of unknowns of all arms. */
  readonly width: number;
  /** Bone whose axes the unknowns use. */
  readonly trunkBone: number;
  /** The bones of the frame, after rotation: as of `sampleBoneFrames`. */
  readonly bones: Float64Array;
}

export function createMovedArms(arms: readonly Arm[], trunkBone: number): MovedArms {
  return {
    arms: arms.map((arm, k) => {
      return {
        arm,
        unknown: TOUCH_UNKNOWNS * k,
        pose: createArmPose(),
        handVector: new Float64Array(3),
        handRotation: new Float64Array(4),
        hand: handBones(arm.side).map((name) => BONE[name]),
      };
    }),
    width: TOUCH_UNKNOWNS * arms.length,
    trunkBone,
    bones: new Float64Array(FRAME_STRIDE),
  };
}

const wristBefore = new Float64Array(3);
const wrist = new Float64Array(3);

/**
 * Rotates the arms of a frame.
 *
 * @param moved Receives poses and bones.
 * @param unknowns `width` numbers per frame: {@link TOUCH_UNKNOWNS} per arm.
 */
export function moveArms(
  { arms, width, trunkBone, bones: out }: MovedArms,
  bones: Float64Array,
  frame: number,
  unknowns: Float64Array,
): void {
  const b = FRAME_STRIDE * frame;
  for (let k = 0; k < FRAME_STRIDE; k++) out[k] = bones[b + k];
  for (const { arm, unknown, pose, handVector, handRotation, hand } of arms) {
    const u = width * frame + unknown;
    rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
    vec3.copy(handVector, 0, unknowns, u + UNKNOWNS);
    trunkRotation(handRotation, pose.trunk, handVector, 0);
    const [upper, lower, end] = arm.bones.map((bone) => BONE_STRIDE * bone);
    quat.multiply(out, upper, pose.upper, 0, out, upper);
    quat.multiply(out, lower, pose.lower, 0, out, lower);
    vec3.copy(out, lower + POSITION_OFFSET, pose.elbow, 0);
    vec3.copy(wristBefore, 0, out, end + POSITION_OFFSET);
    vec3.subtract(wrist, 0, wristBefore, 0, pose.elbowBefore, 0);
    vec3.rotate(wrist, 0, pose.lower, 0, wrist, 0);
    vec3.add(wrist, 0, wrist, 0, pose.elbow, 0);
    for (const bone of hand) {
      const at = BONE_STRIDE * bone;
      quat.multiply(out, at, handRotation, 0, out, at);
      vec3.subtract(out, at + POSITION_OFFSET, out, at + POSITION_OFFSET, wristBefore, 0);
      vec3.rotate(out, at + POSITION_OFFSET, handRotation, 0, out, at + POSITION_OFFSET);
      vec3.add(out, at + POSITION_OFFSET, out, at + POSITION_OFFSET, wrist, 0);
    }
  }
}

const gradient = new Float64Array(UNKNOWNS);
const handGradient = new Float64Array(3);
const lever = new Float64Array(3);

/**
 * Adds how a point that moves with a bone moves with the unknowns; nothing for bones outside the arms. `out`: `width` numbers, added to: meters
 * along `direction` per radian.
 */
export function addGradient(
  out: Float64Array,
  { arms, bones }: MovedArms,
  bone: number,
  point: Float64Array,
  direction: Float64Array,
  factor: number,
): void {
  for (const { arm, unknown, pose, handVector, hand } of arms) {
    const isUpper = bone === arm.bones[0];
    const isHand = hand.includes(bone);
    if (!isUpper && !isHand && bone !== arm.bones[1]) continue;
    if (isHand) vec3.copy(pose.point, 0, bones, BONE_STRIDE * arm.bones[2] + POSITION_OFFSET);
    else vec3.copy(pose.point, 0, point, 0);
    pointGradient(gradient, pose, { isUpper }, direction);
    for (let c = 0; c < UNKNOWNS; c++) out[unknown + c] += factor * gradient[c];
    if (!isHand) continue;
    vec3.subtract(lever, 0, point, 0, pose.point, 0);
    vec3.cross(lever, 0, lever, 0, direction, 0);
    vec3.rotateBack(handGradient, 0, pose.trunk, 0, lever, 0);
    byRotationVector(handGradient, handVector);
    for (let c = 0; c < 3; c++) out[unknown + UNKNOWNS + c] += factor * handGradient[c];
  }
}
