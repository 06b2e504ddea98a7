/** Interpolates time samples by OpenUSD's rules (usd/interpolators.h, gf/math.h, gf/quat*.cpp). */
import type { Floats } from '../../../core/math/floats.ts';
import { lastAtMost } from '../../../core/math/search.ts';
import { roundToHalf } from '../layer/half.ts';
import type { TimeSamples } from '../layer/layer.ts';
import type { Value } from '../layer/value.ts';

/** Interpolation type of a stage: `held` values last until the next sample. */
export type Interpolation = 'linear' | 'held';

/** Types whose values are interpolated; other types keep the value of the previous sample. */
const INTERPOLATED_TYPES = /^(?:half|float|double|timecode|quat[hfd]|matrix[234]d|(?:half|float|double)[234])$/;
/** Maximum 1 − cos of the angle between quaternions that are interpolated linearly. */
const MAX_LINEAR_ANGLE = 1e-5;

function slerp(out: Floats, a: Floats, b: Floats, o: number, t: number): void {
  let dot = 0;
  for (let c = o; c < o + 4; c++) dot += a[c] * b[c];
  const sign = dot < 0 ? -1 : 1;
  const cos = Math.abs(dot);
  let weightA = 1 - t;
  let weightB = t;
  if (1 - cos > MAX_LINEAR_ANGLE) {
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    weightA = Math.sin((1 - t) * angle) / sin;
    weightB = Math.sin(t * angle) / sin;
  }
  for (let c = o; c < o + 4; c++) out[c] = weightA * a[c] + weightB * sign * b[c];
}

/** Tests whether values of a type are interpolated; other types keep the value of the previous sample. */
export function isInterpolated(type: Value['type']): boolean {
  return INTERPOLATED_TYPES.test(type);
}

/**
 * Interpolates between two samples: component by component, quaternions along the shorter arc without normalization. Returns `a` if the samples
 * differ in type or size or `b` is a block; null (no value) if `a` is a block.
 */
export function interpolateValues(a: Value, b: Value, t: number, interpolation: Interpolation): Value | null {
  if (a.type === 'block') return null;
  if (interpolation === 'held' || t === 0 || a.type !== b.type || !('numbers' in a) || !('numbers' in b)) return a;
  const { type, isArray } = a;
  if (!isInterpolated(type) || isArray !== b.isArray || a.numbers.length !== b.numbers.length) return a;
  const [from, to] = [a.numbers as Floats, b.numbers as Floats];
  const numbers = from.slice();
  if (type.startsWith('quat')) for (let o = 0; o + 4 <= numbers.length; o += 4) slerp(numbers, from, to, o, t);
  else for (let c = 0; c < numbers.length; c++) numbers[c] = (1 - t) * from[c] + t * to[c];
  if (type.startsWith('half') || type === 'quath') {
    for (let c = 0; c < numbers.length; c++) numbers[c] = roundToHalf(numbers[c]);
  }
  return { type, isArray, numbers };
}

/** Evaluates time samples at a time, clamped to the first and last sample. Returns the value; null if it is blocked, or there are no samples. */
export function sampleAt(samples: TimeSamples, time: number, interpolation: Interpolation): Value | null {
  const { times, values } = samples;
  if (values.length === 0) return null;
  const lower = Math.max(0, lastAtMost(times, time));
  const a = values[lower];
  if (lower + 1 >= values.length || time <= times[lower]) return a.type === 'block' ? null : a;
  return interpolateValues(
    a,
    values[lower + 1],
    (time - times[lower]) / (times[lower + 1] - times[lower]),
    interpolation,
  );
}
