/** Samples the keys of bones: Bézier curves for x, y, z and the rotation. */
import type { Floats } from '../../../core/math/floats.ts';
import * as quat from '../../../core/math/quat.ts';
import type { MmdBoneKeys } from '../motion/mmd-motion.ts';

/** Steps of Newton's method, which is faster, and of bisection, which always ends: 2⁻²⁴ is the precision of float32. */
const NEWTON_STEPS = 8;
const BISECTIONS = 24;
const PRECISE = 1e-7;

/** Evaluates a coordinate of a Bézier curve from 0 to 1 with two control points. */
function bezier(a: number, b: number, t: number): number {
  const s = 1 - t;
  return 3 * s * s * t * a + 3 * s * t * t * b + t * t * t;
}

function slope(a: number, b: number, t: number): number {
  const s = 1 - t;
  return 3 * s * s * a + 6 * s * t * (b - a) + 3 * t * t * (1 - b);
}

/**
 * Evaluates the curve between two keys. `share`: how much of the time between the keys has passed, 0…1. Returns how much of the way has passed,
 * 0…1.
 */
export function curveValue(x1: number, y1: number, x2: number, y2: number, share: number): number {
  if (x1 === y1 && x2 === y2) return share;
  let t = share;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const error = bezier(x1, x2, t) - share;
    if (Math.abs(error) < PRECISE) return bezier(y1, y2, t);
    const rate = slope(x1, x2, t);
    if (rate < 1e-3) break;
    t -= error / rate;
  }
  let low = 0;
  let high = 1;
  for (let step = 0; step < BISECTIONS; step++) {
    t = (low + high) / 2;
    if (bezier(x1, x2, t) < share) low = t;
    else high = t;
  }
  return bezier(y1, y2, t);
}

/** Control points are in 1/127. */
const CURVE_UNIT = 1 / 127;

function channelShare(curves: Uint8Array, at: number, share: number): number {
  const unit = CURVE_UNIT;
  return curveValue(curves[at] * unit, curves[at + 1] * unit, curves[at + 2] * unit, curves[at + 3] * unit, share);
}

/** Returns the index of the last key at or before a frame, −1 before the first; `from` is where the search starts, such as the index of an earlier frame. */
export function keyAt(frames: Float64Array, frame: number, from: number): number {
  let key = from;
  while (key + 1 < frames.length && frames[key + 1] <= frame) key++;
  return key;
}

/**
 * Samples the keys of a bone at a frame. `key` comes from {@link keyAt}. `offsets` receives xyz at `3 * bone`, `rotations` a unit quaternion at
 * `4 * bone`.
 */
export function sampleBone(
  keys: MmdBoneKeys,
  frame: number,
  key: number,
  offsets: Floats,
  rotations: Floats,
  bone: number,
): void {
  const { frames, curves } = keys;
  const from = Math.max(key, 0);
  const to = Math.min(key + 1, frames.length - 1);
  const span = frames[to] - frames[from];
  const share = span > 0 ? (frame - frames[from]) / span : 0;
  // The curves belong to the key that they lead to.
  for (let c = 0; c < 3; c++) {
    const start = keys.offsets[3 * from + c];
    const end = keys.offsets[3 * to + c];
    offsets[3 * bone + c] =
      start === end || share === 0 ? start : start + (end - start) * channelShare(curves, 16 * to + 4 * c, share);
  }
  if (share === 0) quat.copy(rotations, 4 * bone, keys.rotations, 4 * from);
  else {
    quat.slerp(
      rotations,
      4 * bone,
      keys.rotations,
      4 * from,
      keys.rotations,
      4 * to,
      channelShare(curves, 16 * to + 12, share),
    );
  }
  quat.normalize(rotations, 4 * bone, rotations, 4 * bone);
}
