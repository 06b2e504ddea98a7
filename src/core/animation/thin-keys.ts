/** Leaving out keys of one property that the others say already. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { Keys } from './clip.ts';

/** The span between two keys, looked at as if none were between them. */
interface Span {
  readonly keys: Keys;
  readonly width: number;
  readonly isRotation: boolean;
  /** Radians of rotation, else the length of the difference. */
  readonly tolerance: number;
  /** What the span shows, and what the keys show. */
  readonly shown: Float64Array;
  readonly exact: Float64Array;
}

/** Where the value of a key begins. */
function valueAt({ keys, width }: Span, key: number): number {
  return keys.interpolation === 'CUBICSPLINE' ? (3 * key + 1) * width : key * width;
}

/** What a span from key a to key b shows at a time within it. */
function showSpan(span: Span, a: number, b: number, time: number, out: Floats): void {
  const { keys, width, isRotation } = span;
  const { times, values, interpolation } = keys;
  const duration = times[b] - times[a];
  const t = (time - times[a]) / duration;
  const i = valueAt(span, a);
  const j = valueAt(span, b);
  if (interpolation === 'LINEAR') {
    if (isRotation) quat.slerp(out, 0, values, i, values, j, t);
    else for (let c = 0; c < width; c++) out[c] = (1 - t) * values[i + c] + t * values[j + c];
    return;
  }
  const t2 = t * t;
  const t3 = t2 * t;
  for (let c = 0; c < width; c++) {
    out[c] =
      (2 * t3 - 3 * t2 + 1) * values[i + c] +
      duration * ((t3 - 2 * t2 + t) * values[i + width + c] + (t3 - t2) * values[j - width + c]) +
      (3 * t2 - 2 * t3) * values[j + c];
  }
  if (isRotation) quat.normalize(out, 0, out, 0);
}

function isNear({ width, isRotation, tolerance }: Span, a: Floats, i: number, b: Floats, j: number): boolean {
  if (isRotation) return quat.angleBetween(a, i, b, j) <= tolerance;
  let squared = 0;
  for (let c = 0; c < width; c++) squared += (a[i + c] - b[j + c]) ** 2;
  return squared <= tolerance * tolerance;
}

/** Whether the span from key a to key b is near all keys between them, and near a spline between its keys too. */
function spanFits(span: Span, a: number, b: number): boolean {
  const { keys, shown, exact } = span;
  const { times, values, interpolation } = keys;
  for (let key = a + 1; key < b; key++) {
    showSpan(span, a, b, times[key], shown);
    if (!isNear(span, shown, 0, values, valueAt(span, key))) return false;
  }
  if (interpolation !== 'CUBICSPLINE' || b === a + 1) return true;
  for (let key = a; key < b; key++) {
    const middle = (times[key] + times[key + 1]) / 2;
    showSpan(span, key, key + 1, middle, exact);
    showSpan(span, a, b, middle, shown);
    if (!isNear(span, shown, 0, exact, 0)) return false;
  }
  return true;
}

/** The last key to which the span from `start` fits. Doubles the span while it does, then halves: no key is looked at too often. */
function farthest(span: Span, start: number, last: number): number {
  let good = start + 1;
  let bad = last + 1;
  while (good < last) {
    const probe = Math.min(last, start + 2 * (good - start));
    if (!spanFits(span, start, probe)) {
      bad = probe;
      break;
    }
    good = probe;
  }
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (spanFits(span, start, middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether all keys are near the first one. */
function isStill(span: Span): boolean {
  const { keys, exact } = span;
  const { times, values, interpolation } = keys;
  const first = valueAt(span, 0);
  for (let key = 1; key < times.length; key++) {
    if (!isNear(span, values, first, values, valueAt(span, key))) return false;
    if (interpolation !== 'CUBICSPLINE') continue;
    for (const point of [0.25, 0.5, 0.75]) {
      showSpan(span, key - 1, key, times[key - 1] + point * (times[key] - times[key - 1]), exact);
      if (!isNear(span, values, first, exact, 0)) return false;
    }
  }
  return true;
}

/**
 * Which keys can stay alone: 1 a key that stays. Without the others the track is within `tolerance` (radians of rotation, else the
 * length of the difference) of what it shows at its keys, and of a spline between them. Interpolation stays; a spline keeps the
 * tangents of its keys. The first key stays, and the last one, unless nothing moves by more than the tolerance; of STEP keys all
 * those that change the value at all. `width`: floats of a value, 4 for rotations.
 */
export function thinKeys(keys: Keys, width: number, isRotation: boolean, tolerance: number): Uint8Array {
  const { times, values, interpolation } = keys;
  const kept = new Uint8Array(times.length);
  const last = times.length - 1;
  if (last < 0) return kept;
  kept[0] = 1;
  const none = interpolation === 'STEP' ? 0 : tolerance;
  const span: Span = {
    keys,
    width,
    isRotation: isRotation && interpolation !== 'STEP',
    tolerance: none,
    shown: new Float64Array(width),
    exact: new Float64Array(width),
  };
  if (isStill(span)) return kept;
  if (interpolation === 'STEP') {
    for (let key = 1; key <= last; key++) {
      if (!isNear(span, values, (key - 1) * width, values, key * width)) kept[key] = 1;
    }
    return kept;
  }
  for (let key = 0; key < last; ) {
    key = farthest(span, key, last);
    kept[key] = 1;
  }
  return kept;
}

/** The keys that are marked, as they are. A spline of one key becomes STEP. */
export function pickKeys<T extends Keys>(keys: T, width: number, kept: Uint8Array): T {
  const { times, values, interpolation } = keys;
  const count = kept.reduce((sum, is) => sum + is, 0);
  if (count === times.length) return keys;
  const isCubic = interpolation === 'CUBICSPLINE';
  const isSingle = isCubic && count === 1;
  const stride = isCubic ? 3 * width : width;
  const from = isSingle ? width : 0;
  const size = isSingle ? width : stride;
  const make = (floats: Floats, length: number): Floats =>
    floats instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  const pickedTimes = make(times, count);
  const pickedValues = make(values, count * size);
  let place = 0;
  for (let key = 0; key < times.length; key++) {
    if (kept[key] === 0) continue;
    pickedTimes[place] = times[key];
    for (let c = 0; c < size; c++) pickedValues[place * size + c] = values[key * stride + from + c];
    place++;
  }
  return { ...keys, interpolation: isSingle ? 'STEP' : interpolation, times: pickedTimes, values: pickedValues };
}
