import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { lastAtMost } from '../math/search.ts';
import type { Keys } from './clip.ts';
import { sampleTrack } from './sample.ts';

/** Greatest error of a trimmed rotation spline, radians: a sixth of float32 rounding. */
const SPLINE_TOLERANCE = 1e-7;
/** Greatest number of pieces of a trimmed segment of a rotation spline. */
const MOST_PIECES = 256;
/** Length below which a value of a rotation spline counts as zero. */
const ZERO_LENGTH = 1e-6;

/** The source keys, and the result so far. */
interface Cut {
  readonly keys: Keys;
  readonly width: number;
  readonly isRotation: boolean;
  readonly times: number[];
  readonly values: number[];
}

/**
 * Trims keys to the part between two times, so that `sample(trimmed, t)` equals `sample(keys, from + t)` for t from 0 to `to` − `from`. A cut between
 * two keys adds a key: STEP copies the previous value, LINEAR interpolates, CUBICSPLINE keeps the same polynomial with the value and slope at the
 * cut. Where a rotation spline is not of unit length at the cut, a factor linear in time normalizes it; the segment is divided until the error is at
 * most 1e-7 radians. A range outside of all keys leaves one key; a CUBICSPLINE becomes STEP then. `to` is later than `from`.
 */
export function trimKeys(keys: Keys, width: number, isRotation: boolean, from: number, to: number): Keys {
  const { times, interpolation } = keys;
  const last = times.length - 1;
  if (last < 0) return keys;
  if (to <= times[0]) return singleKey(keys, width, 0);
  if (from >= times[last]) return singleKey(keys, width, last);
  const cut: Cut = { keys, width, isRotation, times: [], values: [] };
  const first = lastAtMost(times, from);
  const final = lastAtMost(times, to);
  const cutsStart = first >= 0 && times[first] < from;
  const cutsEnd = final < last && times[final] < to;
  if (interpolation === 'CUBICSPLINE') {
    addSplines(cut, from, to, first, final);
  } else {
    if (cutsStart) addSampled(cut, from);
    for (let key = Math.max(cutsStart ? first + 1 : first, 0); key <= final; key++) addKey(cut, key);
    if (cutsEnd) addSampled(cut, to);
  }
  const shifted = Float64Array.from(cut.times, (time) => Math.max(0, time - from));
  return { ...keys, times: shifted, values: Float64Array.from(cut.values) };
}

function singleKey(keys: Keys, width: number, key: number): Keys {
  const isCubic = keys.interpolation === 'CUBICSPLINE';
  const at = isCubic ? (3 * key + 1) * width : key * width;
  return {
    ...keys,
    interpolation: isCubic ? 'STEP' : keys.interpolation,
    times: new Float64Array(1),
    values: Float64Array.from(keys.values.subarray(at, at + width)),
  };
}

function addKey({ keys, width, times, values }: Cut, key: number): void {
  times.push(keys.times[key]);
  for (let c = 0; c < width; c++) values.push(keys.values[key * width + c]);
}

function addSampled({ keys, width, isRotation, times, values }: Cut, time: number): void {
  const value = new Float64Array(width);
  sampleKeys(keys, width, isRotation, time, value);
  times.push(time);
  values.push(...value);
}

/** Samples STEP or LINEAR keys of any width at a time that is not after the last key. */
function sampleKeys(keys: Keys, width: number, isRotation: boolean, time: number, out: Floats): void {
  if (isRotation) {
    sampleTrack({ ...keys, target: 0, path: 'rotation' }, time, out, 0);
    return;
  }
  const { times, values, interpolation } = keys;
  const k = Math.max(lastAtMost(times, time), 0);
  const t = interpolation === 'STEP' || k === times.length - 1 ? 0 : (time - times[k]) / (times[k + 1] - times[k]);
  for (let c = 0; c < width; c++) {
    const left = values[k * width + c];
    out[c] = t === 0 ? left : (1 - t) * left + t * values[(k + 1) * width + c];
  }
}

/** Appends the segments of a spline between two times; the first and the last one may be partial. */
function addSplines(cut: Cut, from: number, to: number, first: number, final: number): void {
  const { keys, width } = cut;
  const last = keys.times.length - 1;
  const start = Math.max(first, 0);
  for (let key = start; key <= Math.min(final, last - 1); key++) {
    const left = Math.max(from, keys.times[key]);
    const right = Math.min(to, keys.times[key + 1]);
    if (!(right > left)) continue;
    if (left === keys.times[key] && right === keys.times[key + 1]) addWhole(cut, key);
    else addPart(cut, key, left, right);
  }
  // The last out-tangent is unused, but every key stores one.
  if (cut.values.length % (3 * width) !== 0) for (let c = 0; c < width; c++) cut.values.push(0);
}

/** Returns where an element of a cubic key is: 0 the in-tangent, 1 the value, 2 the out-tangent. */
function element(cut: Cut, key: number, which: 0 | 1 | 2): number {
  return (3 * key + which) * cut.width;
}

/** Appends the in-tangent and the value of the first key; does nothing when the spline has a key already. */
function beginSpline(cut: Cut, time: number, value: ArrayLike<number>, at: number): void {
  if (cut.times.length > 0) return;
  cut.times.push(time);
  for (let c = 0; c < cut.width; c++) cut.values.push(0);
  for (let c = 0; c < cut.width; c++) cut.values.push(value[at + c]);
}

/** Appends the segment after a key: its out-tangent, and the in-tangent and value of the next key. */
function addWhole(cut: Cut, key: number): void {
  const { keys, width } = cut;
  beginSpline(cut, keys.times[key], keys.values, element(cut, key, 1));
  const at = element(cut, key, 2);
  for (let c = 0; c < 3 * width; c++) cut.values.push(keys.values[at + c]);
  cut.times.push(keys.times[key + 1]);
}

/** Values and slopes of the polynomial of a segment at some times; `factors` normalize rotations. */
interface Points {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
  readonly factors: Float64Array;
}

function addPart(cut: Cut, key: number, from: number, to: number): void {
  const { width, isRotation } = cut;
  let points = pointsOf(cut, key, from, to, 1);
  for (
    let pieces = 2;
    isRotation && pieces <= MOST_PIECES && partError(cut, key, points) > SPLINE_TOLERANCE;
    pieces *= 2
  ) {
    points = pointsOf(cut, key, from, to, pieces);
  }
  const { times, values, slopes, factors } = points;
  const scaled = values.map((value, i) => value * factors[Math.floor(i / width)]);
  beginSpline(cut, times[0], scaled, 0);
  for (let piece = 0; piece + 1 < times.length; piece++) {
    const rate = (factors[piece + 1] - factors[piece]) / (times[piece + 1] - times[piece]);
    for (const point of [piece, piece + 1]) {
      for (let c = 0; c < width; c++) {
        cut.values.push(factors[point] * slopes[point * width + c] + rate * values[point * width + c]);
      }
    }
    for (let c = 0; c < width; c++) cut.values.push(scaled[(piece + 1) * width + c]);
    cut.times.push(times[piece + 1]);
  }
}

function pointsOf(cut: Cut, key: number, from: number, to: number, pieces: number): Points {
  const { keys, width, isRotation } = cut;
  const count = pieces + 1;
  const times = Float64Array.from({ length: count }, (_, k) => (k === pieces ? to : from + ((to - from) * k) / pieces));
  const values = new Float64Array(count * width);
  const slopes = new Float64Array(count * width);
  const factors = new Float64Array(count).fill(1);
  const duration = keys.times[key + 1] - keys.times[key];
  for (let k = 0; k < count; k++) {
    const t = (times[k] - keys.times[key]) / duration;
    hermite(cut, key, duration, t, values, slopes, k * width);
    // The ends of the segment keep their stored values.
    if (!isRotation || t <= 0 || t >= 1) continue;
    const length = Math.sqrt(quat.dot(values, 4 * k, values, 4 * k));
    if (length > ZERO_LENGTH) factors[k] = 1 / length;
    else replaceZero(cut, times[k], values, slopes, 4 * k);
  }
  return { times, values, slopes, factors };
}

/** Replaces a value where the spline passes through zero by the rotation that players show there, with slope 0. */
function replaceZero({ keys }: Cut, time: number, values: Float64Array, slopes: Float64Array, at: number): void {
  sampleTrack({ ...keys, target: 0, path: 'rotation' }, time, values, at);
  quat.normalize(values, at, values, at);
  slopes.fill(0, at, at + 4);
}

/** Evaluates value and slope (per second) of the segment after a key, at t from 0 to 1: glTF 2.0, Appendix C.5, and its derivative. */
function hermite(cut: Cut, key: number, duration: number, t: number, out: Floats, slopes: Floats, o: number): void {
  const { values } = cut.keys;
  const t2 = t * t;
  const t3 = t2 * t;
  const [left, outgoing, incoming, right] = [
    element(cut, key, 1),
    element(cut, key, 2),
    element(cut, key + 1, 0),
    element(cut, key + 1, 1),
  ];
  for (let c = 0; c < cut.width; c++) {
    const [a, b, d, e] = [values[left + c], values[outgoing + c], values[incoming + c], values[right + c]];
    out[o + c] = (2 * t3 - 3 * t2 + 1) * a + duration * ((t3 - 2 * t2 + t) * b + (t3 - t2) * d) + (3 * t2 - 2 * t3) * e;
    slopes[o + c] = ((6 * t2 - 6 * t) * (a - e)) / duration + (3 * t2 - 4 * t + 1) * b + (3 * t2 - 2 * t) * d;
  }
}

/**
 * Measures the greatest error of the pieces, radians. A piece approximates the polynomial times a linear factor, whose degree is one
 * higher than that of a piece.
 */
function partError(cut: Cut, key: number, { times, values, slopes, factors }: Points): number {
  const { keys } = cut;
  const duration = keys.times[key + 1] - keys.times[key];
  const exact = new Float64Array(4);
  const piece = new Float64Array(4);
  const scratch = new Float64Array(4);
  let worst = 0;
  for (let k = 0; k + 1 < times.length; k++) {
    const span = times[k + 1] - times[k];
    const rate = (factors[k + 1] - factors[k]) / span;
    for (const u of [0.25, 0.5, 0.75]) {
      hermite(cut, key, duration, (times[k] + u * span - keys.times[key]) / duration, exact, scratch, 0);
      const [u2, u3] = [u * u, u * u * u];
      for (let c = 0; c < 4; c++) {
        const [i, j] = [4 * k + c, 4 * k + 4 + c];
        const leftSlope = factors[k] * slopes[i] + rate * values[i];
        const rightSlope = factors[k + 1] * slopes[j] + rate * values[j];
        piece[c] =
          (2 * u3 - 3 * u2 + 1) * factors[k] * values[i] +
          span * ((u3 - 2 * u2 + u) * leftSlope + (u3 - u2) * rightSlope) +
          (3 * u2 - 2 * u3) * factors[k + 1] * values[j];
      }
      worst = Math.max(worst, quat.angleBetween(exact, 0, piece, 0));
    }
  }
  return worst;
}
