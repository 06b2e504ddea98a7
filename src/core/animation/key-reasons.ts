import * as quat from '../math/quat.ts';
import { PATH_WIDTH, type Track } from './clip.ts';

/** Greatest deviation of a unit quaternion from length 1: the rounding of four normalized bytes. */
export const UNIT_TOLERANCE = 0.008;

/** Limits of the squared length of a unit quaternion. */
const LEAST_UNIT = (1 - UNIT_TOLERANCE) ** 2;
const GREATEST_UNIT = (1 + UNIT_TOLERANCE) ** 2;

/** Returns whether a STEP or LINEAR track is valid: the fast path of {@link keyReasons} for nearly all tracks, in one pass. */
function areKeysValid({ path, times, values, interpolation }: Track): boolean {
  if (interpolation !== 'STEP' && interpolation !== 'LINEAR') return false;
  const count = times.length;
  if (count === 0 || values.length !== count * PATH_WIDTH[path]) return false;
  let last = -1;
  for (let key = 0; key < count; key++) {
    const time = times[key];
    if (!(time > last && time >= 0 && time < Number.POSITIVE_INFINITY)) return false;
    last = time;
  }
  if (path === 'rotation') {
    for (let at = 0; at < values.length; at += 4) {
      const x = values[at];
      const y = values[at + 1];
      const z = values[at + 2];
      const w = values[at + 3];
      const squared = x * x + y * y + z * z + w * w;
      if (!(squared >= LEAST_UNIT && squared <= GREATEST_UNIT)) return false;
    }
    return true;
  }
  // Only a finite number minus itself is 0.
  for (let at = 0; at < values.length; at++) if (values[at] - values[at] !== 0) return false;
  return true;
}

/** Checks the keys of a track by glTF 2.0, section 3.11. */
export function keyReasons(track: Track): string[] {
  if (areKeysValid(track)) return [];
  const { times, values, interpolation } = track;
  const reasons: string[] = [];
  if (!Object.hasOwn(PATH_WIDTH, track.path))
    return [...reasons, 'has an unknown path; expected translation, rotation or scale'];
  if (interpolation !== 'STEP' && interpolation !== 'LINEAR' && interpolation !== 'CUBICSPLINE') {
    return [...reasons, `has interpolation ${interpolation}; expected STEP, LINEAR or CUBICSPLINE`];
  }
  const isCubic = interpolation === 'CUBICSPLINE';
  const least = isCubic ? 2 : 1;
  if (times.length < least) reasons.push(`has ${times.length} keys; ${interpolation} needs at least ${least}`);
  for (let key = 0; key < times.length; key++) {
    const isRising = key === 0 ? times[0] >= 0 : times[key] > times[key - 1];
    if (isRising && Number.isFinite(times[key])) continue;
    reasons.push(`has time ${times[key]} at key ${key}; expected finite, strictly increasing seconds from 0 on`);
    break;
  }
  const expected = times.length * PATH_WIDTH[track.path] * (isCubic ? 3 : 1);
  if (values.length !== expected) return [...reasons, `has ${values.length} floats in values; expected ${expected}`];
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) return [...reasons, `has the value ${values[bad]}; expected finite numbers`];
  if (track.path !== 'rotation') return reasons;
  for (let key = 0; key < times.length; key++) {
    const at = isCubic ? 12 * key + 4 : 4 * key;
    const length = Math.sqrt(quat.dot(values, at, values, at));
    if (Math.abs(length - 1) <= UNIT_TOLERANCE) continue;
    reasons.push(`has a quaternion of length ${length} at key ${key}; expected length 1`);
    break;
  }
  return reasons;
}
