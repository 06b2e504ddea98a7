/** Keys in the form in which animations are stored: float32, rotations that every player interpolates alike. */
import type { Interpolation } from '../../core/animation/clip.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';

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
 * as the keys need, or not finite.
 */
export function storeKeys(
  keys: { readonly interpolation: Interpolation; readonly times: Floats; readonly values: Floats },
  width: number,
  isRotation: boolean,
): StoredKeys {
  const { times, values } = keys;
  const isCubic = keys.interpolation === 'CUBICSPLINE';
  const stride = isCubic ? width * 3 : width;
  if (times.length === 0) throw new RangeError('A track has no keys');
  if (values.length !== times.length * stride) {
    throw new RangeError(`${times.length} keys need ${times.length * stride} numbers, the track has ${values.length}`);
  }
  const kept = keptKeys(times);
  const stored = new Float64Array(kept.length * stride);
  kept.forEach((key, i) => {
    for (let c = 0; c < stride; c++) stored[i * stride + c] = values[key * stride + c];
  });
  if (isRotation) straighten(stored, isCubic, keys.interpolation === 'LINEAR');
  const isSingle = isCubic && kept.length === 1;
  const storedValues = Float32Array.from(isSingle ? stored.subarray(width, 2 * width) : stored);
  const wrong = storedValues.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`A value of a track is ${wrong} as float32; values must be finite`);
  return {
    interpolation: isSingle ? 'STEP' : keys.interpolation,
    times: Float32Array.from(kept, (key) => times[key]),
    values: storedValues,
  };
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
  const stride = isCubic ? 12 : 4;
  const middle = isCubic ? 4 : 0;
  for (let at = 0; at < values.length; at += stride) {
    const length = quat.normalize(values, at + middle, values, at + middle);
    if (isLinear && at > 0 && quat.dot(values, at, values, at - 4) < 0) {
      for (let c = at; c < at + 4; c++) values[c] = -values[c];
    }
    // Tangents are those of the same curve, made smaller by the same factor.
    if (!isCubic || length === 0) continue;
    for (let c = 0; c < 4; c++) {
      values[at + c] /= length;
      values[at + 8 + c] /= length;
    }
  }
}
