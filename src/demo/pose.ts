/**
 * Poses of a figure, whatever rig it has: what each bone has turned from the T-pose (D, in world axes) and where the hips
 * are. Canonical frame, meters. They are built from turns: r(b), how far a bone turns against its parent, in the axes of
 * the T-pose, so that D(b) = D(parent) · r(b).
 */
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, type BoneName } from '../core/humanoid/bones.ts';
import { DEGREE, fromAxisAngles, fromEuler } from '../core/math/euler.ts';
import * as quat from '../core/math/quat.ts';
import type { Figure } from './figure.ts';

export interface Pose {
  /** D per bone, xyzw; of all 55 bones, also of those that a rig lacks. */
  readonly deltas: Float64Array;
  /** Position of the hips joint. */
  readonly hips: Float64Array;
}

/** r per bone, xyzw. */
export type Turns = Float64Array;

export type Side = 'left' | 'right';

/** How the upper arm is held, degrees; all 0 is the T-pose, and the signs are those of both sides. */
export interface ArmAngles {
  /** Below the horizontal. */
  readonly down: number;
  /** From the side to the front. */
  readonly forward?: number;
  /** Of the hanging arm, to the front. */
  readonly swing?: number;
  /** About the length of the arm; a positive one turns the palm to the front. */
  readonly roll?: number;
}

/** The T-pose of a figure. */
export function makePose(figure: Figure): Pose {
  return { deltas: makeTurns(), hips: Float64Array.of(0, figure.hipsHeight, 0) };
}

/** Turns of nothing. */
export function makeTurns(): Turns {
  const turns = new Float64Array(BONE_COUNT * 4);
  resetTurns(turns);
  return turns;
}

export function resetTurns(turns: Turns): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.identity(turns, bone * 4);
}

/** Bones of the right side turn as in a mirror, so that one set of angles serves both sides. */
function mirrorRight(turns: Turns, bone: BoneName): void {
  if (!bone.startsWith('right')) return;
  const o = BONE[bone] * 4;
  turns[o + 1] = -turns[o + 1];
  turns[o + 2] = -turns[o + 2];
}

/** Sets the turn of a bone to yaw · pitch · roll, degrees: about +Y, +X (forward) and +Z; mirrored for bones of the right side. */
export function turnBone(turns: Turns, bone: BoneName, pitch: number, yaw = 0, roll = 0): void {
  fromEuler(turns, BONE[bone] * 4, pitch, yaw, roll, 'YXZ', DEGREE);
  mirrorRight(turns, bone);
}

const ARM_AXES = [0, 1, 2, 0];

/** Sets the turn of an upper arm. */
export function turnArm(turns: Turns, side: Side, { down, forward = 0, swing = 0, roll = 0 }: ArmAngles): void {
  const bone = `${side}UpperArm` as const;
  fromAxisAngles(turns, BONE[bone] * 4, ARM_AXES, [-swing, -forward, -down, -roll], 0, DEGREE);
  mirrorRight(turns, bone);
}

/** Sets the turn of a lower arm: bent at the elbow, the palm of the T-pose turned up by `roll`, degrees. */
export function turnElbow(turns: Turns, side: Side, bend: number, roll = 0): void {
  turnBone(turns, `${side}LowerArm`, -roll, -bend);
}

/** Curls the four fingers (all joints by the same angle) and, half as much, the thumb of a hand, degrees. */
export function curlFingers(turns: Turns, side: Side, degrees: number): void {
  const fingers = BONES.filter((name) => name.startsWith(side) && /(Proximal|Intermediate|Distal)$/.test(name));
  for (const bone of fingers) {
    if (bone.includes('Thumb')) turnBone(turns, bone, degrees * 0.35, 0, -degrees * 0.35);
    else turnBone(turns, bone, 0, 0, -degrees);
  }
}

/** Fills D of all bones from the turns. */
export function composeTurns(pose: Pose, turns: Turns): void {
  const { deltas } = pose;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = BONE_PARENTS[bone];
    if (parent < 0) quat.copy(deltas, bone * 4, turns, bone * 4);
    else quat.multiply(deltas, bone * 4, deltas, parent * 4, turns, bone * 4);
  }
}
