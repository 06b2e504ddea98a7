/** Encodes keys for storage: float32, with rotations that every player interpolates in the same way. */
import type { Interpolation } from '../../../core/animation/clip.ts';
import { separateTimes } from '../../../core/animation/separate-times.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as quat from '../../../core/math/quat.ts';

/** Length below which the squares of quaternion components lose precision. */
const TINY = 1e-100;

export interface EncodedTimes {
  /** Seconds, strictly increasing as float32. */
  readonly times: Float32Array<ArrayBuffer>;
  /** Index of the original key of each time. */
  readonly kept: readonly number[];
}

export interface EncodedKeys {
  /** Interpolation; STEP for a CUBICSPLINE with one key. */
  readonly interpolation: Interpolation;
  /** Seconds, strictly increasing as float32. */
  readonly times: Float32Array<ArrayBuffer>;
  /** Values; for CUBICSPLINE in-tangent, value and out-tangent per key. */
  readonly values: Float32Array<ArrayBuffer>;
}

/**
 * Encodes keys as float32, at the times of {@link encodeTimes}. Rotations are normalized. LINEAR rotations get the sign
 * closer to the previous key, so that players that ignore Appendix C.4 also take the shorter way. CUBICSPLINE rotations keep their signs: q and −q
 * are different curves (C.5), and players show the stored one. A CUBICSPLINE with one key becomes STEP, because it needs at least two. Throws
 * RangeError for invalid times (see {@link encodeTimes}), a wrong number of values, or values that are not finite.
 */
export function encodeKeys(
  keys: { readonly interpolation: Interpolation; readonly times: Floats; readonly values: Floats },
  width: number,
  isRotation: boolean,
  stored: EncodedTimes = encodeTimes(keys.times),
): EncodedKeys {
  const { times, values } = keys;
  const isCubic = keys.interpolation === 'CUBICSPLINE';
  const stride = isCubic ? width * 3 : width;
  if (values.length !== times.length * stride) {
    throw new RangeError(
      `The track has ${values.length} values, but its ${times.length} keys need ${times.length * stride}`,
    );
  }
  const { kept } = stored;
  const exact = keptValues(values, kept, times.length, stride);
  if (isRotation) normalizeRotations(exact, isCubic, keys.interpolation === 'LINEAR');
  const isSingle = isCubic && kept.length === 1;
  const storedValues = new Float32Array(isSingle ? exact.subarray(width, 2 * width) : exact);
  for (let i = 0; i < storedValues.length; i++) {
    const value = storedValues[i];
    // A number that is not finite minus itself is NaN.
    if (value - value !== 0)
      throw new RangeError(`A value of the track is ${value} as float32, but values must be finite`);
  }
  return { interpolation: isSingle ? 'STEP' : keys.interpolation, times: stored.times, values: storedValues };
}

/**
 * Encodes key times as float32. Those that are one float32 are moved apart or dropped (`separateTimes`). `times`: seconds. Throws RangeError without keys, and
 * for times that are not finite, negative or not increasing.
 */
export function encodeTimes(times: Floats): EncodedTimes {
  if (times.length === 0) throw new RangeError('The track has no keys, but at least one is required');
  checkTimes(times);
  const separate = Float64Array.from(times);
  const kept = separateTimes(separate);
  const stored = new Float32Array(kept.length);
  for (let i = 0; i < kept.length; i++) stored[i] = separate[kept[i]];
  return { kept, times: stored };
}

/** Copies the values of the kept keys. */
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

function checkTimes(times: Floats): void {
  let last = -1;
  for (let key = 0; key < times.length; key++) {
    const time = times[key];
    if (!(time >= 0 && time > last && time < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Key ${key} has time ${time} s, but times must be finite and increase from 0`);
    }
    last = time;
  }
}

/** Normalizes the rotation of every key; for LINEAR also moves it to the hemisphere of the previous key. */
function normalizeRotations(values: Float64Array, isCubic: boolean, isLinear: boolean): void {
  if (isCubic) normalizeSpline(values);
  else normalizeKeys(values, isLinear);
}

/** Written without calls: this loop runs over every key and is hot before the JIT compiles it. */
function normalizeKeys(values: Float64Array, isLinear: boolean): void {
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
      const factor = isLinear && x * px + y * py + z * pz + w * pw < 0 ? -1 / length : 1 / length;
      x *= factor;
      y *= factor;
      z *= factor;
      w *= factor;
      values[at] = x;
      values[at + 1] = y;
      values[at + 2] = z;
      values[at + 3] = w;
    } else {
      // Too short or too long for the fast path. `quat.normalize` handles these and replaces zero by the identity.
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

/** Normalizes CUBICSPLINE rotations. Tangents are scaled by the same factor, so the curve keeps its shape. */
function normalizeSpline(values: Float64Array): void {
  for (let at = 0; at < values.length; at += 12) {
    const length = quat.normalize(values, at + 4, values, at + 4);
    if (length === 0) continue;
    for (let c = 0; c < 4; c++) {
      values[at + c] /= length;
      values[at + 8 + c] /= length;
    }
  }
}
