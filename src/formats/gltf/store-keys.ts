/** Keys in the form in which animations are stored: float32, rotations that every player interpolates alike. */
import type { Interpolation } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';

/** Squares of components of a shorter quaternion lose digits. */
const TINY = 1e-100;

/** Key times ready to be stored. */
export interface StoredTimes {
  /** Strictly rising also as float32. */
  readonly times: Float32Array<ArrayBuffer>;
  /** Indices of the keys that have them. */
  readonly kept: readonly number[];
}

/** Keys ready to be stored. */
export interface StoredKeys {
  readonly interpolation: Interpolation;
  /** Strictly rising also as float32. */
  readonly times: Float32Array<ArrayBuffer>;
  readonly values: Float32Array<ArrayBuffer>;
}

/**
 * Keys as float32. Keys that fall on the same float32 time as the one before are left out. Rotations become unit; those of
 * LINEAR get the sign that is nearer to the key before, so that players without the sign rule of Appendix C.4 take the same way.
 * Signs of CUBICSPLINE stay: there q and −q are different curves (C.5), and the file's is the one that players show.
 * CUBICSPLINE with a single key becomes STEP, as it needs two. RangeError when times do not rise from 0 on, values are not as many
 * as the keys need, or not finite. `stored` are the times of the keys where they are stored already.
 */
export function storeKeys(
  keys: { readonly interpolation: Interpolation; readonly times: Floats; readonly values: Floats },
  width: number,
  isRotation: boolean,
  stored: StoredTimes = storeTimes(keys.times),
): StoredKeys {
  const { times, values } = keys;
  const isCubic = keys.interpolation === 'CUBICSPLINE';
  const stride = isCubic ? width * 3 : width;
  if (values.length !== times.length * stride) {
    throw new RangeError(`${times.length} keys need ${times.length * stride} numbers, the track has ${values.length}`);
  }
  const { kept } = stored;
  const exact = keptValues(values, kept, times.length, stride);
  if (isRotation) straighten(exact, isCubic, keys.interpolation === 'LINEAR');
  const isSingle = isCubic && kept.length === 1;
  const storedValues = new Float32Array(isSingle ? exact.subarray(width, 2 * width) : exact);
  for (let i = 0; i < storedValues.length; i++) {
    const value = storedValues[i];
    // Of numbers that are not finite the difference from themselves is not 0.
    if (value - value !== 0) throw new RangeError(`A value of a track is ${value} as float32; values must be finite`);
  }
  return { interpolation: isSingle ? 'STEP' : keys.interpolation, times: stored.times, values: storedValues };
}

/**
 * Times as float32. RangeError when there are none or they do not rise from 0 on.
 */
export function storeTimes(times: Floats): StoredTimes {
  if (times.length === 0) throw new RangeError('A track has no keys');
  const kept = keptKeys(times);
  const stored = new Float32Array(kept.length);
  for (let i = 0; i < kept.length; i++) stored[i] = times[kept[i]];
  return { kept, times: stored };
}

/** The values of the kept keys, in a buffer of their own. */
function keptValues(
  values: Floats,
  kept: readonly number[],
  keyCount: number,
  stride: number,
): Float64Array<ArrayBuffer> {
  if (kept.length === keyCount) return new Float64Array(values);
  const stored = new Float64Array(kept.length * stride);
  for (let i = 0; i < kept.length; i++) {
    for (let c = 0; c < stride; c++) stored[i * stride + c] = values[kept[i] * stride + c];
  }
  return stored;
}

/** Indices of the keys whose float32 time is above that of the key before. */
function keptKeys(times: Floats): number[] {
  const kept: number[] = [];
  let last = -1;
  let lastStored = -1;
  for (let key = 0; key < times.length; key++) {
    const time = times[key];
    if (!(time >= 0 && time > last && time < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Key ${key} is at ${time} seconds; times must be finite and rise from 0 on`);
    }
    last = time;
    if (Math.fround(time) <= lastStored) continue;
    lastStored = Math.fround(time);
    kept.push(key);
  }
  return kept;
}

/** Makes the rotation of every key unit and, if asked to, of the hemisphere of the one before. */
function straighten(values: Float64Array, isCubic: boolean, isLinear: boolean): void {
  if (isCubic) straightenSpline(values);
  else straightenKeys(values, isLinear);
}

/** Locals instead of calls: this runs once over every key that is written, before anything is compiled. */
function straightenKeys(values: Float64Array, isLinear: boolean): void {
  let px = 0;
  let py = 0;
  let pz = 0;
  let pw = 0;
  for (let at = 0; at < values.length; at += 4) {
    let x = values[at];
    let y = values[at + 1];
    let z = values[at + 2];
    let w = values[at + 3];
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    if (length > TINY && length < Number.POSITIVE_INFINITY) {
      const turn = isLinear && x * px + y * py + z * pz + w * pw < 0 ? -1 / length : 1 / length;
      x *= turn;
      y *= turn;
      z *= turn;
      w *= turn;
      values[at] = x;
      values[at + 1] = y;
      values[at + 2] = z;
      values[at + 3] = w;
    } else {
      // Too short or too long for this: the careful kernel, which makes a zero quaternion the identity.
      quat.normalize(values, at, values, at);
      x = values[at];
      y = values[at + 1];
      z = values[at + 2];
      w = values[at + 3];
    }
    px = x;
    py = y;
    pz = z;
    pw = w;
  }
}

/** Tangents are those of the same curve, made smaller by the same factor. */
function straightenSpline(values: Float64Array): void {
  for (let at = 0; at < values.length; at += 12) {
    const length = quat.normalize(values, at + 4, values, at + 4);
    if (length === 0) continue;
    for (let c = 0; c < 4; c++) {
      values[at + c] /= length;
      values[at + 8 + c] /= length;
    }
  }
}
