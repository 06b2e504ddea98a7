/**
 * Poses of a figure, independent of any rig: the world delta D of each bone from the T-pose, and the position of the hips.
 * Canonical frame, meters. Poses are composed from local rotations: r(b) is the rotation of bone b relative to its parent,
 * in the axes of the T-pose, so that D(b) = D(parent) · r(b).
 */
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, type BoneName, type Side } from '../../core/humanoid/bones.ts';
import { DEGREE, fromAxisAngles, fromEuler } from '../../core/math/euler.ts';
import * as quat from '../../core/math/quat.ts';
import type { Figure } from './figure.ts';

/** A pose of a figure: a world delta for each of the 55 bones and the position of the hips. */
export interface Pose {
  /** World delta D per bone, quaternions xyzw; all 55 bones, including those that a rig lacks. */
  readonly deltas: Float64Array;
  /** Position of the hips joint, xyz, canonical frame, meters. */
  readonly hips: Float64Array;
}

/** Local rotation r per bone, quaternions xyzw: 4 floats for each of the 55 bones. */
export type LocalRotations = Float64Array;

/** Angles of an upper arm, degrees. All 0 is the T-pose; the same signs serve both sides. */
interface ArmAngles {
  /** Below the horizontal. */
  readonly down: number;
  /** From the side to the front. */
  readonly forward?: number;
  /** Forward swing of a lowered arm. */
  readonly swing?: number;
  /** Rotation about the length of the arm; positive angles move the palm to the front. */
  readonly roll?: number;
}

export function makePose(figure: Figure): Pose {
  return { deltas: makeLocalRotations(), hips: Float64Array.of(0, figure.hipsHeight, 0) };
}

export function makeLocalRotations(): LocalRotations {
  const rotations = new Float64Array(BONE_COUNT * 4);
  resetLocalRotations(rotations);
  return rotations;
}

function resetLocalRotations(rotations: LocalRotations): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.identity(rotations, bone * 4);
}

/** Mirrors the rotation of a right-side bone, so that one set of angles serves both sides. */
function mirrorRight(rotations: LocalRotations, bone: BoneName): void {
  if (!bone.startsWith('right')) return;
  const o = BONE[bone] * 4;
  rotations[o + 1] = -rotations[o + 1];
  rotations[o + 2] = -rotations[o + 2];
}

/**
 * Sets the local rotation of a bone to yaw · pitch · roll; mirrored for right-side bones. `rotations`: 55 quaternions, xyzw; the one of `bone` is
 * written. `pitch`: degrees about +X; positive bends forward.
 */
export function rotateBone(rotations: LocalRotations, bone: BoneName, pitch: number, yaw = 0, roll = 0): void {
  fromEuler(rotations, BONE[bone] * 4, pitch, yaw, roll, 'YXZ', DEGREE);
  mirrorRight(rotations, bone);
}

const ARM_AXES = [0, 1, 2, 0];

/** Sets the local rotation of an upper arm. `rotations`: 55 quaternions, xyzw; the one of the upper arm is written. Angles are in degrees. */
export function rotateArm(
  rotations: LocalRotations,
  side: Side,
  { down, forward = 0, swing = 0, roll = 0 }: ArmAngles,
): void {
  const bone = `${side}UpperArm` as const;
  fromAxisAngles(rotations, BONE[bone] * 4, ARM_AXES, [-swing, -forward, -down, -roll], 0, DEGREE);
  mirrorRight(rotations, bone);
}

/**
 * Sets the local rotation of a lower arm. `rotations`: 55 quaternions, xyzw; the one of the lower arm is written. `bend`: degrees. `roll`: rotation
 * about the length of the arm that raises the palm of the T-pose, degrees.
 */
export function bendElbow(rotations: LocalRotations, side: Side, bend: number, roll = 0): void {
  rotateBone(rotations, `${side}LowerArm`, -roll, -bend);
}

/**
 * Curls the fingers of a hand: every finger joint by the same angle, the thumb joints by about a third of it. `rotations`: 55 quaternions, xyzw;
 * those of the hand's finger joints are written.
 */
export function curlFingers(rotations: LocalRotations, side: Side, degrees: number): void {
  const fingers = BONES.filter((name) => name.startsWith(side) && /(Proximal|Intermediate|Distal)$/.test(name));
  for (const bone of fingers) {
    if (bone.includes('Thumb')) rotateBone(rotations, bone, degrees * 0.35, 0, -degrees * 0.35);
    else rotateBone(rotations, bone, 0, 0, -degrees);
  }
}

/** Composes the world deltas of all bones from their local rotations. `rotations`: 55 local rotations, xyzw. */
export function composeRotations(pose: Pose, rotations: LocalRotations): void {
  const { deltas } = pose;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = BONE_PARENTS[bone];
    if (parent < 0) quat.copy(deltas, bone * 4, rotations, bone * 4);
    else quat.multiply(deltas, bone * 4, deltas, parent * 4, rotations, bone * 4);
  }
}
