import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { Place } from '../report/format-error.ts';
import { type Issue, issue } from '../report/issue.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { keyReasons, UNIT_TOLERANCE } from './validate-clip.ts';

/** A track that is valid (see validateClip), or null when no key of it is usable, and what had to be done. */
export interface MendedTrack {
  readonly track: Track | null;
  /** One KEYS_REPAIRED at most; empty when nothing had to be done: the track is then the very same. */
  readonly issues: readonly Issue[];
}

/** What was done to the keys of a track, for the message. */
interface Mending {
  dropped: number;
  sorted: boolean;
  normalized: number;
}

/**
 * Mends the keys of a track as it came out of a file. Keys with a time that is negative or not finite, or with a value
 * that is not finite or not there, are dropped; the rest is sorted; of keys at the same time the last stays. Quaternions
 * that are off unit length are made unit, with their tangents scaled alike, zero ones become the identity; tangents that
 * are not finite become 0. A CUBICSPLINE of one key becomes STEP.
 */
export function mendTrack(track: Track, where: Place = {}): MendedTrack {
  if (keyReasons(track).length === 0) return { track, issues: [] };
  const { times, values, interpolation } = track;
  const width = PATH_WIDTH[track.path];
  const isCubic = interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const mending: Mending = { dropped: 0, sorted: false, normalized: 0 };
  const keys = usableKeys(times, values, stride, isCubic ? width : 0, width, mending);
  if (keys.length === 0) return { track: null, issues: [mended(mending, times.length, track, where)] };

  const isOneCubic = isCubic && keys.length === 1;
  const mendedTimes = pick(times, keys, 1, 0, 1);
  const mendedValues = isOneCubic ? pick(values, keys, stride, width, width) : pick(values, keys, stride, 0, stride);
  if (isCubic) clearTangents(mendedValues);
  if (track.path === 'rotation') mending.normalized = makeUnit(mendedValues, isCubic && !isOneCubic);
  return {
    track: {
      ...track,
      interpolation: isOneCubic ? 'STEP' : interpolation,
      times: mendedTimes,
      values: mendedValues,
    },
    issues: [mended(mending, times.length, track, where)],
  };
}

/** Keys that can stay, by rising time. */
function usableKeys(
  times: Floats,
  values: Floats,
  stride: number,
  valueAt: number,
  width: number,
  mending: Mending,
): number[] {
  const keys: number[] = [];
  for (let key = 0; key < times.length; key++) {
    let usable = times[key] >= 0 && Number.isFinite(times[key]) && (key + 1) * stride <= values.length;
    for (let c = 0; c < width; c++) usable &&= Number.isFinite(values[key * stride + valueAt + c]);
    if (usable) keys.push(key);
  }
  mending.sorted = keys.some((key, k) => k > 0 && times[key] < times[keys[k - 1]]);
  if (mending.sorted) keys.sort((a, b) => times[a] - times[b] || a - b);
  const single = keys.filter((key, k) => k + 1 === keys.length || times[key] !== times[keys[k + 1]]);
  mending.dropped = times.length - single.length;
  return single;
}

/** `count` floats from `from` on of every one of the keys, in a buffer of the same kind. */
function pick(floats: Floats, keys: readonly number[], stride: number, from: number, count: number): Floats {
  const length = keys.length * count;
  const out = floats instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  keys.forEach((key, k) => {
    for (let c = 0; c < count; c++) out[k * count + c] = floats[key * stride + from + c];
  });
  return out;
}

/** Sets tangents that are not finite to 0; values are finite already. */
function clearTangents(values: Floats): void {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) values[i] = 0;
}

/** Makes quaternions unit that are not; returns how many. */
function makeUnit(values: Floats, isCubic: boolean): number {
  const stride = isCubic ? 12 : 4;
  let count = 0;
  for (let start = 0; start < values.length; start += stride) {
    const at = isCubic ? start + 4 : start;
    const length = Math.sqrt(quat.dot(values, at, values, at));
    if (Math.abs(length - 1) <= UNIT_TOLERANCE) continue;
    const former = quat.normalize(values, at, values, at);
    count++;
    if (!isCubic || !(former > 0)) continue;
    for (let c = 0; c < 4; c++) {
      values[start + c] /= former;
      values[start + 8 + c] /= former;
    }
  }
  return count;
}

function mended(mending: Mending, keyCount: number, track: Track, where: Place): Issue {
  const done: string[] = [];
  if (mending.dropped > 0) done.push(`${mending.dropped} of ${keyCount} keys were dropped`);
  if (mending.sorted) done.push('the keys were sorted');
  if (mending.normalized > 0) done.push(`${mending.normalized} quaternions were made unit`);
  if (done.length === 0) done.push('values that belong to no key, or tangents, were mended');
  const what = `The ${track.path} keys of node ${track.target} are not as expected (finite, strictly rising times from 0 on, finite values, unit quaternions)`;
  return issue('KEYS_REPAIRED', `${what}: ${done.join(', ')}. Export the animation again to get all of it.`, where);
}
