/** Values between time samples, after OpenUSD's rules (usd/interpolators.h, gf/math.h, gf/quat*.cpp). */
import type { Floats } from '../../../core/math/floats.ts';
import { roundAllToHalf } from '../layer/half.ts';
import type { TimeSamples } from '../layer/layer.ts';
import type { NumericValue, Value } from '../layer/value.ts';

export type Interpolation = 'linear' | 'held';

/** Types whose values lie between their neighbors; all others hold. */
const LINEAR = /^(?:half|float|double|timecode|quat[hfd]|matrix[234]d|(?:half|float|double)[234])$/;
/** 1 − cos of the angle between quaternions up to which they are mixed in a straight line. */
const STRAIGHT = 1e-5;

function slerp(out: Floats, a: Floats, b: Floats, o: number, part: Float64Array): void {
  const t = part[0];
  let dot = 0;
  for (let c = o; c < o + 4; c++) dot += a[c] * b[c];
  const sign = dot < 0 ? -1 : 1;
  const cos = Math.abs(dot);
  let weightA = 1 - t;
  let weightB = t;
  if (1 - cos > STRAIGHT) {
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    weightA = Math.sin((1 - t) * angle) / sin;
    weightB = Math.sin(t * angle) / sin;
  }
  for (let c = o; c < o + 4; c++) out[c] = weightA * a[c] + weightB * sign * b[c];
}

/** Whether values of a type lie between their neighbors in time; values of others are held. */
export function isInterpolated(type: Value['type']): boolean {
  return LINEAR.test(type);
}

/**
 * Numbers at `part[0]` (0…1) of the way from `a` to `b`, as many, of a type that {@link isInterpolated}: component by component, quaternions along the
 * shorter arc (neither made unit before nor after). No allocation; the part is in an array because a number that is handed on may be one.
 */
export function interpolateNumbers(
  out: Floats,
  type: NumericValue['type'],
  a: Floats,
  b: Floats,
  part: Float64Array,
): void {
  const count = out.length;
  if (type.startsWith('quat')) {
    for (let o = 0; o + 4 <= count; o += 4) slerp(out, a, b, o, part);
  } else {
    const t = part[0];
    for (let c = 0; c < count; c++) out[c] = (1 - t) * a[c] + t * b[c];
  }
  if (type.startsWith('half') || type === 'quath') roundAllToHalf(out);
}

/**
 * The value at part `t` (0…1) of the way between two neighbors, as {@link interpolateNumbers} has it. The first neighbor where they differ in type or
 * number, or where the second is a block; null (no value) where the first is one.
 */
export function interpolateValues(a: Value, b: Value, t: number, interpolation: Interpolation): Value | null {
  if (a.type === 'block') return null;
  if (interpolation === 'held' || t === 0 || a.type !== b.type || !('numbers' in a) || !('numbers' in b)) return a;
  if (!isInterpolated(a.type) || a.isArray !== b.isArray || a.numbers.length !== b.numbers.length) return a;
  const count = a.numbers.length;
  const numbers = a.numbers instanceof Float32Array ? new Float32Array(count) : new Float64Array(count);
  interpolateNumbers(numbers, a.type, a.numbers as Floats, b.numbers as Floats, Float64Array.of(t));
  return { type: a.type, isArray: a.isArray, numbers };
}

/** The index of the last time that is not after `time`; −1 before the first. */
export function lastIndexUpTo(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of time samples at a time: clamped before the first and behind the last. Null where a block says that there is none, or without samples. */
export function sampleAt(samples: TimeSamples, time: number, interpolation: Interpolation): Value | null {
  const { times, values } = samples;
  if (values.length === 0) return null;
  const lower = Math.max(0, lastIndexUpTo(times, time));
  const a = values[lower];
  if (lower + 1 >= values.length || time <= times[lower]) return a.type === 'block' ? null : a;
  return interpolateValues(
    a,
    values[lower + 1],
    (time - times[lower]) / (times[lower + 1] - times[lower]),
    interpolation,
  );
}
