/** Removes redundant keys of one property. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { Keys } from './clip.ts';

/** Scratch data to test the span between two keys without the keys in between. */
interface Span {
  readonly keys: Keys;
  readonly width: number;
  readonly isRotation: boolean;
  /** Radians for rotations, else the length of the difference. */
  readonly tolerance: number;
  /** Interpolated value of the span. */
  readonly interpolated: Float64Array;
  /** Value of the original keys. */
  readonly exact: Float64Array;
}

function valueAt({ keys, width }: Span, key: number): number {
  return keys.interpolation === 'CUBICSPLINE' ? (3 * key + 1) * width : key * width;
}

/** Interpolates directly from key a to key b, at a time between them. */
function interpolateSpan(span: Span, a: number, b: number, time: number, out: Floats): void {
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

/** Returns whether the span from key a to key b is within the tolerance at all keys between them, for splines also halfway between keys. */
function spanFits(span: Span, a: number, b: number): boolean {
  const { keys, interpolated, exact } = span;
  const { times, values, interpolation } = keys;
  for (let key = a + 1; key < b; key++) {
    interpolateSpan(span, a, b, times[key], interpolated);
    if (!isNear(span, interpolated, 0, values, valueAt(span, key))) return false;
  }
  if (interpolation !== 'CUBICSPLINE' || b === a + 1) return true;
  for (let key = a; key < b; key++) {
    const middle = (times[key] + times[key + 1]) / 2;
    interpolateSpan(span, key, key + 1, middle, exact);
    interpolateSpan(span, a, b, middle, interpolated);
    if (!isNear(span, interpolated, 0, exact, 0)) return false;
  }
  return true;
}

/** Returns the last key to which the span from `start` fits. It doubles the span while it fits, then bisects, to limit key tests. */
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

function isStill(span: Span): boolean {
  const { keys, exact } = span;
  const { times, values, interpolation } = keys;
  const first = valueAt(span, 0);
  for (let key = 1; key < times.length; key++) {
    if (!isNear(span, values, first, values, valueAt(span, key))) return false;
    if (interpolation !== 'CUBICSPLINE') continue;
    for (const point of [0.25, 0.5, 0.75]) {
      interpolateSpan(span, key - 1, key, times[key - 1] + point * (times[key] - times[key - 1]), exact);
      if (!isNear(span, values, first, exact, 0)) return false;
    }
  }
  return true;
}

/**
 * Selects the keys that reproduce all keys within a tolerance. Kept keys keep their interpolation and tangents. Splines are also compared halfway
 * between keys. The first and last key are kept, only the first one when nothing moves by more than the tolerance. STEP keys are kept when they
 * change the value at all. `width`: floats per value; 4 for rotations. `isRotation`: whether values are unit quaternions. `tolerance`: greatest
 * error: radians for rotations, else the length of the difference.
 */
export function decimateKeys(keys: Keys, width: number, isRotation: boolean, tolerance: number): Uint8Array {
  const { times, values, interpolation } = keys;
  const kept = new Uint8Array(times.length);
  const last = times.length - 1;
  if (last < 0) return kept;
  kept[0] = 1;
  const allowed = interpolation === 'STEP' ? 0 : tolerance;
  const span: Span = {
    keys,
    width,
    isRotation: isRotation && interpolation !== 'STEP',
    tolerance: allowed,
    interpolated: new Float64Array(width),
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

/** Removes all keys that are not marked. A CUBICSPLINE with one remaining key becomes STEP. */
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
  let index = 0;
  for (let key = 0; key < times.length; key++) {
    if (kept[key] === 0) continue;
    pickedTimes[index] = times[key];
    for (let c = 0; c < size; c++) pickedValues[index * size + c] = values[key * stride + from + c];
    index++;
  }
  return { ...keys, interpolation: isSingle ? 'STEP' : interpolation, times: pickedTimes, values: pickedValues };
}
