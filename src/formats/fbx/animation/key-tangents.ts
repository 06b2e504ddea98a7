import type { Floats } from '../../../core/math/floats.ts';
import { type CurveEnd, type FbxCurve, HANDLE_STRIDE, SEGMENT } from './fbx-curve.ts';

/** Bits of `KeyAttrFlags` (FbxAnimCurveDef of the Autodesk FBX SDK). */
export const KEY_FLAG = {
  CONSTANT: 0x2,
  LINEAR: 0x4,
  CUBIC: 0x8,
  /** With CONSTANT: uses the value of the next key. */
  CONSTANT_NEXT: 0x100,
  TCB: 0x200,
  /** Slopes are stored in the file. Without USER and TCB they are automatic. */
  USER: 0x400,
  /** The slopes before and after a key may differ. */
  BREAK: 0x800,
  /** Automatic slopes: 0 if a neighbor has the same value. */
  CLAMP: 0x1000,
  /** Automatic slopes without a bias: the slope between the neighbors, wherever the key is between them. */
  TIME_INDEPENDENT: 0x2000,
  /** Automatic slopes: handles stay within the range of the neighbors' values. */
  CLAMP_PROGRESSIVE: 0x4000,
  WEIGHTED_RIGHT: 0x1000000,
  WEIGHTED_NEXT_LEFT: 0x2000000,
} as const;

/** Length of an unweighted handle, relative to the interval. */
export const DEFAULT_WEIGHT: number = 1 / 3;

export interface CurveKeys {
  /** Seconds, strictly increasing. */
  readonly times: Float64Array;
  readonly values: Floats;
  /** {@link KEY_FLAG}s of each key. */
  readonly flags: Int32Array;
  /** Three per key. USER: slope after the key, slope before the next key, unused. Automatic: two biases, unused. TCB: tension, continuity, bias. */
  readonly data: Float64Array;
  /** Two per key, 0…1, relative to the interval: length of the handle after the key, and of the one before the next key. */
  readonly weights: Float64Array;
}

/** Values up to this difference are equal for CLAMP. */
const CLAMP_RANGE = 1e-5;
/** Smaller biases count as 0. */
const MIN_BIAS = 1e-4;

/** Converts keys to a curve: every tangent mode becomes Bézier handles. */
export function buildCurve(keys: CurveKeys, before: CurveEnd, after: CurveEnd): FbxCurve {
  const { times, values, flags, weights } = keys;
  const count = times.length;
  const segments = new Uint8Array(count);
  for (let key = 0; key < count; key++) segments[key] = segmentOf(flags[key]);
  const hasSlopes = before.extrapolation === 'slope' || after.extrapolation === 'slope';
  if (!hasSlopes && !segments.includes(SEGMENT.CUBIC)) {
    return { times, values, segments, handles: new Float64Array(0), before, after };
  }
  const handles = new Float64Array(count * HANDLE_STRIDE);
  const { left, right } = slopesOf(keys);
  for (let key = 0; key < count - 1; key++) {
    const length = times[key + 1] - times[key];
    const isCubic = segments[key] === SEGMENT.CUBIC;
    const rightWeight = isCubic ? weights[key * 2] : DEFAULT_WEIGHT;
    const leftWeight = isCubic ? weights[key * 2 + 1] : DEFAULT_WEIGHT;
    const h = key * HANDLE_STRIDE;
    handles[h] = rightWeight;
    handles[h + 1] = values[key] + right[key] * rightWeight * length;
    handles[h + 2] = 1 - leftWeight;
    handles[h + 3] = values[key + 1] - left[key + 1] * leftWeight * length;
  }
  return { times, values, segments, handles, before, after };
}

function segmentOf(flags: number): number {
  if (flags & KEY_FLAG.CONSTANT) return flags & KEY_FLAG.CONSTANT_NEXT ? SEGMENT.CONSTANT_NEXT : SEGMENT.CONSTANT;
  return flags & KEY_FLAG.CUBIC ? SEGMENT.CUBIC : SEGMENT.LINEAR;
}

/** Returns whether the file stores the slopes of a cubic key. A key with both flags is TCB. */
function hasOwnSlopes(flags: number): boolean {
  return (flags & (KEY_FLAG.USER | KEY_FLAG.TCB)) === KEY_FLAG.USER;
}

/** Computes the slopes before (`left`) and after (`right`) every key, in value per second. */
function slopesOf(keys: CurveKeys): { left: Float64Array; right: Float64Array } {
  const { times, values, flags, data } = keys;
  const count = times.length;
  const left = new Float64Array(count + 1);
  const right = new Float64Array(count);
  for (let key = 0; key < count; key++) {
    const segment = segmentOf(flags[key]);
    if (segment === SEGMENT.LINEAR && key + 1 < count) {
      const secant = (values[key + 1] - values[key]) / (times[key + 1] - times[key]);
      right[key] = secant;
      left[key + 1] = secant;
    }
    if (segment !== SEGMENT.CUBIC) continue;
    if (flags[key] & KEY_FLAG.TCB) {
      left[key] = tcbSlope(keys, key, key, -1);
      right[key] = tcbSlope(keys, key, key, 1);
    } else {
      right[key] = data[key * 3];
      left[key + 1] = data[key * 3 + 1];
      if (!hasOwnSlopes(flags[key])) autoSlopes(keys, key, left, right);
    }
  }
  for (let key = 0; key + 1 < count; key++) {
    if (segmentOf(flags[key]) === SEGMENT.CUBIC && !hasOwnSlopes(flags[key])) setEndSlope(keys, key, left, right);
  }
  return { left, right };
}

/** Sets the slope at the end of an automatic or TCB interval whose last key is of another kind, as the FBX SDK does. */
function setEndSlope(keys: CurveKeys, key: number, left: Float64Array, right: Float64Array): void {
  const { times, flags, data } = keys;
  const next = key + 1;
  const isLast = next === times.length - 1;
  const isCubic = segmentOf(flags[next]) === SEGMENT.CUBIC;
  if (isCubic && !hasOwnSlopes(flags[next])) return;
  if (flags[key] & KEY_FLAG.TCB) {
    const isBroken = isCubic && flags[next] & KEY_FLAG.BREAK;
    left[next] = isBroken ? tcbSlope(keys, next, key, -1) : isLast ? 0 : right[next];
  } else if (!isCubic) {
    const flag = flags[key] & ~KEY_FLAG.CLAMP;
    const bias = -data[key * 3 + 1];
    left[next] = isLast ? edgeSlope(keys, key, flag, bias) : autoSlope(keys, next, flag, bias);
  }
}

/**
 * Computes the Kochanek–Bartels slope of a key on one side (1: after it), with the numbers of the key `from`. The first and last keys use the slope of
 * their only neighbor with full weight.
 */
function tcbSlope({ times, values, data }: CurveKeys, key: number, from: number, side: 1 | -1): number {
  const last = times.length - 1;
  const former = key > 0 ? (values[key] - values[key - 1]) / (times[key] - times[key - 1]) : 0;
  const next = key < last ? (values[key + 1] - values[key]) / (times[key + 1] - times[key]) : 0;
  const half = (key > 0 && key < last ? 0.5 : 1) * (1 - data[from * 3]);
  const continuity = side * data[from * 3 + 1];
  const bias = data[from * 3 + 2];
  return half * ((1 + bias) * (1 + continuity) * former + (1 - bias) * (1 - continuity) * next);
}

/**
 * Computes the automatic slopes of a key. Its data has biases instead of slopes: the previous key has that of the left
 * side, the key itself that of the right side. The left one is negated, because it was stored like a mirrored slope.
 */
function autoSlopes(keys: CurveKeys, key: number, left: Float64Array, right: Float64Array): void {
  const flags = keys.flags[key];
  const leftBias = -left[key];
  const rightBias = right[key];
  const last = keys.times.length - 1;
  if (key === 0 || key === last) {
    const bias = key === 0 ? rightBias : leftBias;
    const slope = last === 0 ? 0 : edgeSlope(keys, key === 0 ? 0 : last - 1, flags, bias);
    left[key] = slope;
    right[key] = slope;
    return;
  }
  right[key] = autoSlope(keys, key, flags, rightBias);
  left[key] = Math.abs(leftBias - rightBias) <= MIN_BIAS ? right[key] : autoSlope(keys, key, flags, leftBias);
}

function autoSlope({ times, values, weights }: CurveKeys, key: number, flag: number, bias: number): number {
  const rise = values[key] - values[key - 1];
  const nextRise = values[key + 1] - values[key];
  if (flag & KEY_FLAG.CLAMP && Math.min(Math.abs(rise), Math.abs(nextRise)) <= CLAMP_RANGE) return 0;
  const length = times[key] - times[key - 1];
  const nextLength = times[key + 1] - times[key];
  let slope = (rise + nextRise) / (length + nextLength);
  const isBiased = Math.abs(bias) / 100 > MIN_BIAS && !(flag & KEY_FLAG.CLAMP_PROGRESSIVE);
  if (isBiased || !(flag & KEY_FLAG.TIME_INDEPENDENT)) {
    const ratio = length / (length + nextLength);
    slope = (slope + (1 - ratio) * (rise / length) + ratio * (nextRise / nextLength)) / 2;
    slope = biased(slope, bias, rise / length, nextRise / nextLength);
  }
  if (!(flag & KEY_FLAG.CLAMP_PROGRESSIVE)) return slope;
  const sign = slope < 0 ? -1 : 1;
  const most = (rise: number, seconds: number): number => (seconds > 0 ? Math.max(0, (sign * rise) / seconds) : 0);
  const leftMost = most(rise, weights[(key - 1) * 2 + 1] * length);
  const rightMost = most(nextRise, weights[key * 2] * nextLength);
  return sign * Math.min(sign * slope, leftMost, rightMost);
}

/** Moves a slope towards that of one neighbor by a bias in percent. A bias above 500 % steepens it further. */
function biased(slope: number, bias: number, former: number, next: number): number {
  const part = Math.abs(bias) / 100;
  if (part <= MIN_BIAS) return slope;
  const target = bias > 0 ? next : former;
  const change = target - slope;
  const sign = (Math.abs(change) > CLAMP_RANGE ? change : bias) > 0 ? 1 : -1;
  return slope + part * change + steepening(part, sign);
}

function steepening(part: number, sign: number): number {
  return part > 5 ? (part - 5) ** 2 * 40 * sign : 0;
}

/** Computes the automatic slope of the first or last key, with the flags of that key, from the interval that starts at `key`. */
function edgeSlope({ times, values }: CurveKeys, key: number, flag: number, bias: number): number {
  const rise = values[key + 1] - values[key];
  if (flag & KEY_FLAG.CLAMP_PROGRESSIVE) return 0;
  if (flag & KEY_FLAG.CLAMP && Math.abs(rise) <= CLAMP_RANGE) return 0;
  const slope = rise / (times[key + 1] - times[key]);
  return flag & KEY_FLAG.TIME_INDEPENDENT ? slope : slope + steepening(Math.abs(bias) / 100, bias > 0 ? 1 : -1);
}
