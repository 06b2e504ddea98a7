/** Two-bone inverse kinematics of a leg that keeps the plane of the knee. */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { smoothstep } from '../paths/ease.ts';

/** Knee offsets, relative to the thigh, below which the bend direction is noise, and above which it is trusted. */
const STRAIGHT_OFFSET = 0.03;
const BENT_OFFSET = 0.12;
/** A knee with a smaller offset, relative to the thigh, is straight. */
const NO_OFFSET = 1e-9;

/**
 * Compresses an extension softly below 1: up to `start` nothing changes; above it approaches 1 without reaching it.
 *
 * @param extension Distance from hip to ankle relative to the length of the leg.
 * @param start Extension from which on it is compressed, below 1.
 * @returns The new extension.
 */
export function softReach(extension: number, start: number): number {
  if (extension <= start) return extension;
  const room = 1 - start;
  return start + room * (1 - Math.exp(-(extension - start) / room));
}

const axis = new Float64Array(3);
const goal = new Float64Array(3);
const thigh = new Float64Array(3);
const shin = new Float64Array(3);
const bend = new Float64Array(3);
const forward = new Float64Array(3);
const knee = new Float64Array(3);
const arc = new Float64Array(4);
const rotated = new Float64Array(3);
const wanted = new Float64Array(3);

/**
 * Gives the offset of the knee in `bend` a new length. A bent knee keeps its plane. The plane of a straight knee is noise: what it has to bend more, it
 * bends to the front, and its offset to the side stays as small as it is. A knee that bends to the back is brought to the front, all the more the longer
 * its foot has been moved.
 */
function bendKnee(length: number, activity: number, upper: number): void {
  const former = vec3.length(bend, 0);
  if (former < NO_OFFSET * upper) {
    vec3.scale(bend, 0, forward, 0, length);
    return;
  }
  const trusted = smoothstep(STRAIGHT_OFFSET * upper, BENT_OFFSET * upper, vec3.dot(bend, 0, forward, 0));
  vec3.scale(wanted, 0, bend, 0, Math.min(1, length / former));
  const front = vec3.dot(wanted, 0, forward, 0);
  const squared = vec3.dot(wanted, 0, wanted, 0) - front * front;
  const ahead = Math.sqrt(Math.max(front * front, length * length - squared));
  if (ahead > 0) {
    const toFront = front >= 0 ? 1 : Math.max(activity, 1 + front / ahead);
    vec3.addScaled(wanted, 0, wanted, 0, forward, 0, (2 * toFront - 1) * ahead - front);
  }
  vec3.normalize(wanted, 0, wanted, 0);
  vec3.normalize(bend, 0, bend, 0);
  vec3.lerp(bend, 0, wanted, 0, bend, 0, trusted);
  vec3.normalize(bend, 0, bend, 0);
  vec3.scale(bend, 0, bend, 0, length);
}

/**
 * Rotates thigh and shin so that the ankle reaches a position. All vectors are in one frame.
 *
 * @param out Receives the rotations of thigh and shin, applied to their pose in world space: xyzw at 0 and 4.
 * @param joints Hip, knee and ankle of the pose: xyz at 0, 3 and 6.
 * @param ankle Position to reach, xyz; at most as far as the leg is long.
 * @param hinge Axis of the knee, to the left of the character, unit.
 * @param activity How much the foot is being moved around this time, 0…1.
 */
export function solveLeg(
  out: Floats,
  joints: Float64Array,
  ankle: Float64Array,
  hinge: Float64Array,
  activity: number,
): void {
  vec3.subtract(axis, 0, joints, 6, joints, 0);
  vec3.subtract(thigh, 0, joints, 3, joints, 0);
  vec3.subtract(shin, 0, joints, 6, joints, 3);
  vec3.subtract(goal, 0, ankle, 0, joints, 0);
  const upper = vec3.length(thigh, 0);
  const lower = vec3.length(shin, 0);
  const before = vec3.normalize(axis, 0, axis, 0);
  const distance = vec3.normalize(goal, 0, goal, 0);
  quat.identity(out, 0);
  quat.identity(out, 4);
  if (!(upper > 0 && lower > 0 && before > 0 && distance > 0)) return;
  const total = upper + lower;
  const reach = Math.min(Math.max(distance, Math.abs(upper - lower)), Math.max(before, total * (1 - 1e-9)), total);
  quat.fromTo(arc, 0, axis, 0, goal, 0);
  const cosine = Math.min(1, Math.max(-1, (upper * upper + reach * reach - lower * lower) / (2 * upper * reach)));
  const sine = Math.sqrt((1 - cosine) * (1 + cosine));
  // The knee: its offset from the axis is carried along by the shortest arc and gets longer or shorter.
  vec3.addScaled(bend, 0, thigh, 0, axis, 0, -vec3.dot(thigh, 0, axis, 0));
  vec3.cross(forward, 0, axis, 0, hinge, 0);
  vec3.normalize(forward, 0, forward, 0);
  bendKnee(upper * sine, activity, upper);
  vec3.rotate(bend, 0, arc, 0, bend, 0);
  vec3.scale(knee, 0, goal, 0, upper * cosine);
  vec3.add(knee, 0, knee, 0, bend, 0);
  vec3.rotate(rotated, 0, arc, 0, thigh, 0);
  quat.fromTo(out, 0, rotated, 0, knee, 0);
  quat.multiply(out, 0, out, 0, arc, 0);
  vec3.scale(wanted, 0, goal, 0, reach);
  vec3.subtract(wanted, 0, wanted, 0, knee, 0);
  vec3.rotate(rotated, 0, arc, 0, shin, 0);
  quat.fromTo(out, 4, rotated, 0, wanted, 0);
  quat.multiply(out, 4, out, 4, arc, 0);
}
