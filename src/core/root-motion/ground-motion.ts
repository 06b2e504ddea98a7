/** Motion over the ground: a position and a heading that change over time. */
import type { ModelMotion } from '../animation/loop-clip.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

/**
 * A motion over the ground, which moves everything by `p ↦ R · (p − pivot) + position`, R the rotation about the vertical by the yaw. Canonical frame,
 * meters, radians; linear between its times, constant before and after them.
 */
export interface GroundMotion {
  /** Point that is moved to the position: x and z. */
  readonly pivot: readonly [number, number];
  /** Seconds, strictly increasing, at least one. */
  readonly times: Float64Array;
  /** x and z per time. */
  readonly positions: Float64Array;
  /** Angle about the vertical per time, positive to the left, continuous over full turns; null without rotation. */
  readonly yaws: Float64Array | null;
}

/** Distance, meters, and angle, radians, that are rounding. */
const STILL = 1e-9;

export function isStill({ pivot, positions, yaws }: GroundMotion): boolean {
  const stays = positions.every((value, k) => Math.abs(value - pivot[k % 2]) <= STILL);
  return stays && (yaws === null || yaws.every((yaw) => Math.abs(yaw) <= STILL));
}

/** Index of the last time that is not later than another one; 0 before the first. */
function indexAt(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Linear interpolation of one component of values at the times of a motion. */
function valueAt(times: Float64Array, values: Float64Array, width: number, component: number, time: number): number {
  const k = indexAt(times, time);
  const value = values[width * k + component];
  if (k + 1 >= times.length || time <= times[k]) return value;
  const next = values[width * (k + 1) + component];
  return value + ((next - value) * (time - times[k])) / (times[k + 1] - times[k]);
}

/** Samples a motion over the ground. `out` receives x, z (meters) and yaw (radians). */
export function sampleGroundMotion(out: Floats, { times, positions, yaws }: GroundMotion, time: number): void {
  out[0] = valueAt(times, positions, 2, 0, time);
  out[1] = valueAt(times, positions, 2, 1, time);
  out[2] = yaws === null ? 0 : valueAt(times, yaws, 1, 0, time);
}

export function moveGroundPoint(motion: GroundMotion, time: number, x: number, z: number): [number, number] {
  sampleGroundMotion(sample, motion, time);
  const [dx, dz] = [x - motion.pivot[0], z - motion.pivot[1]];
  const [sine, cosine] = [Math.sin(sample[2]), Math.cos(sample[2])];
  return [sample[0] + cosine * dx + sine * dz, sample[1] - sine * dx + cosine * dz];
}

/** Moves a point of the ground by the inverse of a motion. */
export function moveGroundPointBack(motion: GroundMotion, time: number, x: number, z: number): [number, number] {
  sampleGroundMotion(sample, motion, time);
  const [dx, dz] = [x - sample[0], z - sample[1]];
  const [sine, cosine] = [Math.sin(sample[2]), Math.cos(sample[2])];
  return [motion.pivot[0] + cosine * dx - sine * dz, motion.pivot[1] + sine * dx + cosine * dz];
}

const sample = new Float64Array(3);
const vertical = new Float64Array(3);
const toFile = new Float64Array(4);
const rotated = new Float64Array(3);

/** Writes a motion at a time, or its inverse, in the axes and units of a file. `out` receives rotation and translation. */
export function modelMotionAt(
  out: ModelMotion,
  motion: GroundMotion,
  time: number,
  { frame, metersPerUnit }: Humanoid,
  isInverse: boolean,
): void {
  const { rotation, translation } = out;
  sampleGroundMotion(sample, motion, time);
  vec3.set(vertical, 0, 0, 1, 0);
  quat.fromAxisAngle(rotation, 0, vertical, 0, isInverse ? -sample[2] : sample[2]);
  const [px, pz] = motion.pivot;
  // Forward: position − R · pivot; the inverse: pivot − R⁻¹ · position.
  if (isInverse) {
    vec3.set(rotated, 0, sample[0], 0, sample[1]);
    vec3.set(translation, 0, px, 0, pz);
  } else {
    vec3.set(rotated, 0, px, 0, pz);
    vec3.set(translation, 0, sample[0], 0, sample[1]);
  }
  vec3.rotate(rotated, 0, rotation, 0, rotated, 0);
  vec3.subtract(translation, 0, translation, 0, rotated, 0);
  // From the canonical frame to the file.
  quat.conjugate(toFile, 0, frame, 0);
  vec3.scale(translation, 0, translation, 0, 1 / metersPerUnit);
  vec3.rotate(translation, 0, toFile, 0, translation, 0);
  vec3.rotate(vertical, 0, toFile, 0, vertical, 0);
  quat.fromAxisAngle(rotation, 0, vertical, 0, isInverse ? -sample[2] : sample[2]);
}

/**
 * Scales a motion to another humanoid: what it does to the hips of the reference pose, times a factor. `factor`: meters of the target per meter of
 * the source.
 */
export function scaleGroundMotion(
  motion: GroundMotion,
  source: Humanoid,
  target: Humanoid,
  factor: number,
): GroundMotion {
  const [x, , z] = source.reference.positions;
  const [pivotX, , pivotZ] = target.reference.positions;
  const positions = new Float64Array(motion.positions.length);
  for (const [k, time] of motion.times.entries()) {
    const [movedX, movedZ] = moveGroundPoint(motion, time, x, z);
    positions[2 * k] = pivotX + factor * (movedX - x);
    positions[2 * k + 1] = pivotZ + factor * (movedZ - z);
  }
  return { ...motion, pivot: [pivotX, pivotZ], positions };
}
