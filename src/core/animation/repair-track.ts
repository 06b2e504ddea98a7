import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { SourceLocation } from '../report/format-error.ts';
import { type Issue, issue } from '../report/issue.ts';
import { type Keys, PATH_WIDTH, type Track } from './clip.ts';
import { keyReasons, UNIT_TOLERANCE } from './key-reasons.ts';
import { separateTimes } from './separate-times.ts';

/** Repairs of one track, for the message. */
interface Repairs {
  dropped: number;
  sorted: boolean;
  /** Keys that have no effect beside others at the same time. */
  merged: number;
  /** Pairs of keys at the same time that were kept. */
  separated: number;
  normalized: number;
}

/**
 * Repairs the keys of a track that was read from a file:
 *
 * - Keys with a negative or non-finite time, or with a missing or non-finite value, are dropped.
 * - Keys are sorted by time; keys at the same time become a jump ({@link separateKeys}).
 * - Quaternions are normalized, with their tangents scaled alike; zero quaternions become the identity.
 * - Non-finite tangents become 0. A CUBICSPLINE with one key becomes STEP.
 *
 * Without a usable key the track is null. A valid track is returned as it is, else there is one KEYS_REPAIRED.
 */
export function repairTrack(
  track: Track,
  where: SourceLocation = {},
): { readonly track: Track | null; readonly issues: readonly Issue[] } {
  if (keyReasons(track).length === 0) return { track, issues: [] };
  const { times, values, interpolation } = track;
  const width = PATH_WIDTH[track.path];
  const isCubic = interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const repairs: Repairs = { dropped: 0, sorted: false, merged: 0, separated: 0, normalized: 0 };
  const usable = usableKeys(times, values, stride, isCubic ? width : 0, width, repairs);
  const { keys, times: keyTimes, separated } = separateKeys(track, stride, usable);
  repairs.dropped = times.length - usable.length;
  repairs.merged = usable.length - keys.length;
  repairs.separated = separated;
  const subject = `The ${track.path} track of node ${track.target}`;
  if (keys.length === 0) return { track: null, issues: [repairIssue(repairs, times.length, subject, where)] };

  const isOneCubic = isCubic && keys.length === 1;
  const repairedTimes = times instanceof Float64Array ? Float64Array.from(keyTimes) : Float32Array.from(keyTimes);
  const repairedValues = isOneCubic ? pick(values, keys, stride, width, width) : pick(values, keys, stride, 0, stride);
  if (isCubic) clearTangents(repairedValues);
  if (track.path === 'rotation') repairs.normalized = normalizeQuaternions(repairedValues, isCubic && !isOneCubic);
  return {
    track: {
      ...track,
      interpolation: isOneCubic ? 'STEP' : interpolation,
      times: repairedTimes,
      values: repairedValues,
    },
    issues: [repairIssue(repairs, times.length, subject, where)],
  };
}

function usableKeys(
  times: Floats,
  values: Floats,
  stride: number,
  valueAt: number,
  width: number,
  repairs: Repairs,
): number[] {
  const keys: number[] = [];
  for (let key = 0; key < times.length; key++) {
    let usable = times[key] >= 0 && Number.isFinite(times[key]) && (key + 1) * stride <= values.length;
    for (let c = 0; c < width; c++) usable &&= Number.isFinite(values[key * stride + valueAt + c]);
    if (usable) keys.push(key);
  }
  repairs.sorted = keys.some((key, k) => k > 0 && times[key] < times[keys[k - 1]]);
  if (repairs.sorted) keys.sort((a, b) => times[a] - times[b] || a - b);
  return keys;
}

/**
 * Keeps what keys at the same time, with which files write a jump, show: the first and the last of them, moved apart ({@link separateTimes}); only the
 * last one where both are equal, and of STEP keys, which jump without the first.
 *
 * @param stride Floats per key.
 * @param usable Indices of the keys to use, in the order of time.
 * @returns The keys that stay, their times, and the number of those that were moved.
 */
export function separateKeys(
  { times, values, interpolation }: Keys,
  stride: number,
  usable: readonly number[],
): { keys: number[]; times: number[]; separated: number } {
  const shown: number[] = [];
  for (let k = 0; k < usable.length; k++) {
    const first = usable[k];
    while (k + 1 < usable.length && times[usable[k + 1]] === times[first]) k++;
    const last = usable[k];
    const isJump = first !== last && !areEqual(values, first * stride, last * stride, stride);
    if (isJump && interpolation !== 'STEP') shown.push(first);
    shown.push(last);
  }
  const separate = Float64Array.from(shown, (key) => times[key]);
  const kept = separateTimes(separate);
  const keys = kept.map((k) => shown[k]);
  const keptTimes = kept.map((k) => separate[k]);
  return { keys, times: keptTimes, separated: keys.filter((key, k) => keptTimes[k] !== times[key]).length };
}

function areEqual(values: Floats, i: number, j: number, count: number): boolean {
  for (let c = 0; c < count; c++) if (values[i + c] !== values[j + c]) return false;
  return true;
}

/** Copies `count` floats of every listed key, from `from` on within the key, to a buffer of the same type. */
function pick(floats: Floats, keys: readonly number[], stride: number, from: number, count: number): Floats {
  const length = keys.length * count;
  const out = floats instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  keys.forEach((key, k) => {
    for (let c = 0; c < count; c++) out[k * count + c] = floats[key * stride + from + c];
  });
  return out;
}

/** Sets non-finite tangents to 0; the values are already finite. */
function clearTangents(values: Floats): void {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) values[i] = 0;
}

/** Normalizes quaternions that are not of unit length; returns their number. */
function normalizeQuaternions(values: Floats, isCubic: boolean): number {
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

/** Creates the issue of repaired keys. `subject`: the track, in the singular. */
export function repairIssue(
  repairs: Partial<Repairs>,
  keyCount: number,
  subject: string,
  where: SourceLocation,
): Issue {
  const { dropped = 0, sorted = false, merged = 0, separated = 0, normalized = 0 } = repairs;
  const done: string[] = [];
  if (dropped > 0) done.push(`${dropped} of ${keyCount} keys were dropped`);
  if (sorted) done.push('the keys were sorted');
  if (merged > 0) done.push(`keys without effect beside others at the same time were left out (${merged})`);
  if (separated > 0) done.push(`pairs of keys at the same time, which are jumps, were moved apart (${separated})`);
  if (normalized > 0) done.push(`${normalized} quaternions were normalized`);
  if (done.length === 0) done.push('tangents were repaired, or values without a key were dropped');
  const message =
    `${subject} was repaired: ${done.join(', ')}. Expected finite, strictly increasing times from 0 on, finite values and unit quaternions.` +
    (dropped > 0 ? ' Export the animation again to restore the lost keys.' : '');
  return issue('KEYS_REPAIRED', message, where);
}
