/** Leg IK: a closed-form two-bone solution that writes the world deltas of a pose. */

import { BONE, type Side } from '../../core/humanoid/bones.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import type { Figure } from './figure.ts';
import type { Pose } from './pose.ts';

/** Position and orientation of a foot. Canonical frame, meters and radians. */
export interface FootTransform {
  readonly ankle: Float64Array;
  /** Heading of the foot about +Y. */
  yaw: number;
  /** Pitch of the foot about its own +X; positive lifts the heel. */
  pitch: number;
  /** Pitch of the toes relative to the ground. */
  toePitch: number;
}

export function makeFootTransform(): FootTransform {
  return { ankle: new Float64Array(3), yaw: 0, pitch: 0, toePitch: 0 };
}

/** A leg stretched beyond this fraction of its length counts as straight. */
const STRAIGHT = 1 - 1e-12;
const X = Float64Array.of(1, 0, 0);
const hip = new Float64Array(3);
const towards = new Float64Array(3);
const hinge = new Float64Array(3);
const back = new Float64Array(3);
const bend = new Float64Array(4);

function yawPitch(out: Float64Array, o: number, yaw: number, pitch: number): void {
  const sy = Math.sin(yaw / 2);
  const cy = Math.cos(yaw / 2);
  const sp = Math.sin(pitch / 2);
  const cp = Math.cos(pitch / 2);
  quat.set(out, o, cy * sp, sy * cp, -sy * sp, cy * cp);
}

/** Computes the position of a hip joint in a pose. `out` receives the position, xyz, canonical frame, meters. */
export function hipJoint(out: Float64Array, pose: Pose, figure: Figure, side: Side): void {
  const leg = BONE[`${side}UpperLeg`] * 3;
  vec3.subtract(out, 0, figure.joints, leg, figure.joints, BONE.hips * 3);
  vec3.rotate(out, 0, pose.deltas, BONE.hips * 4, out, 0);
  vec3.add(out, 0, out, 0, pose.hips, 0);
}

/**
 * Solves a leg: sets the world deltas of upper leg, lower leg, foot and toes so that the ankle reaches its target. The knee points halfway between
 * the headings of hips and foot. `pose`: pose to write; its hips must be set.
 */
export function reachWithLeg(pose: Pose, figure: Figure, side: Side, target: FootTransform): number {
  const { deltas } = pose;
  const upper = BONE[`${side}UpperLeg`];
  const lower = BONE[`${side}LowerLeg`];
  const foot = BONE[`${side}Foot`];
  const thigh = vec3.distance(figure.joints, upper * 3, figure.joints, lower * 3);
  const shin = vec3.distance(figure.joints, lower * 3, figure.joints, foot * 3);
  hipJoint(hip, pose, figure, side);
  vec3.subtract(towards, 0, target.ankle, 0, hip, 0);
  const distance = vec3.normalize(towards, 0, towards, 0);
  // An arc cosine near 1 loses half its digits, so a straight leg is set exactly.
  const straight = distance > (thigh + shin) * STRAIGHT;
  const d = straight ? thigh + shin : distance;

  yawPitch(deltas, foot * 4, target.yaw, target.pitch);
  yawPitch(deltas, BONE[`${side}Toes`] * 4, target.yaw, target.toePitch);
  // Knee axis: the mean of the left axes of hips and foot, made perpendicular to the leg.
  vec3.rotate(hinge, 0, deltas, BONE.hips * 4, X, 0);
  vec3.rotate(back, 0, deltas, foot * 4, X, 0);
  vec3.normalize(hinge, 0, hinge, 0);
  vec3.add(hinge, 0, hinge, 0, back, 0);
  vec3.addScaled(hinge, 0, hinge, 0, towards, 0, -vec3.dot(hinge, 0, towards, 0));
  vec3.normalize(hinge, 0, hinge, 0);

  const up = towards;
  vec3.scale(up, 0, towards, 0, -1);
  vec3.cross(back, 0, hinge, 0, up, 0);
  const atHip = straight ? 0 : Math.acos((thigh * thigh + d * d - shin * shin) / (2 * thigh * d));
  const atAnkle = straight ? 0 : Math.acos((shin * shin + d * d - thigh * thigh) / (2 * shin * d));
  quat.fromBasis(deltas, upper * 4, hinge, 0, up, 0, back, 0);
  quat.copy(deltas, lower * 4, deltas, upper * 4);
  quat.fromAxisAngle(bend, 0, X, 0, -atHip);
  quat.multiply(deltas, upper * 4, deltas, upper * 4, bend, 0);
  quat.fromAxisAngle(bend, 0, X, 0, atAnkle);
  quat.multiply(deltas, lower * 4, deltas, lower * 4, bend, 0);
  return distance / (thigh + shin);
}
