/** Creates keys of a function of time, with the interpolation that takes the least space. */
import { FLOAT32_MAX } from '../math/floats.ts';
import type { Keys } from './clip.ts';
import { defaultKeyLimit, resampleFunction, type TimeFunction } from './resample.ts';
import { resampleCubic } from './resample-cubic.ts';

/** Values per key of a CUBICSPLINE: in-tangent, value, out-tangent. */
const CUBIC_VALUES = 3;

/**
 * Approximates a function of time by keys within a tolerance: LINEAR or CUBICSPLINE, whichever needs fewer floats. Both have a key at each key time
 * and more only where an interval exceeds the tolerance. Key times count as shared by other tracks if no key was added. Throws RangeError for a
 * tolerance that is not above 0.
 */
export function fitKeys(source: TimeFunction, starts: Float32Array): Keys {
  const { width, keyLimit = defaultKeyLimit(source.keyTimes) } = source;
  const startCount = starts.length;
  const linearKeys = (limit: number): Keys => {
    return { interpolation: 'LINEAR', ...resampleFunction({ ...source, keyLimit: Math.min(keyLimit, limit) }, starts) };
  };
  /** Number of LINEAR keys that take as many floats as `floats`, with their own times. */
  const linearCount = (floats: number): number => Math.floor(floats / (width + 1));
  // More LINEAR keys take more space than a CUBICSPLINE without added keys.
  const most = linearCount(startCount * CUBIC_VALUES * width);
  const linear = linearKeys(most + 1);
  if (linear.times.length === startCount) return linear;
  const cubic = resampleCubic(source, starts);
  if (!cubic.values.every((value) => Math.abs(value) <= FLOAT32_MAX)) return linearKeys(keyLimit);
  const { length } = cubic.times;
  const limit = linearCount(cubic.values.length + (length > startCount ? length : 0));
  const candidate = linear.times.length > most && limit > most ? linearKeys(limit + 1) : linear;
  return candidate.times.length <= limit && candidate.times.length < keyLimit ? candidate : cubic;
}
