/** Applies a constant linear map to every key of a track. Nothing is sampled: STEP, LINEAR and CUBICSPLINE tracks keep their interpolation. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';

/** Allocates a float buffer of the same type as another. */
function allocateLike(values: Floats, length: number): Floats {
  return values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
}

/**
 * Allocates a buffer as long as the values of each track, as views of one block of memory: one allocation per track would take longer
 * than mapping its keys.
 *
 * @param tracks The tracks to be mapped.
 * @returns One buffer per track; float32 if all tracks are float32, else float64.
 */
export function valueBuffers(tracks: readonly Track[]): Floats[] {
  let length = 0;
  for (const { values } of tracks) length += values.length;
  const isDouble = tracks.some(({ values }) => values instanceof Float64Array);
  const block = isDouble ? new Float64Array(length) : new Float32Array(length);
  let start = 0;
  return tracks.map(({ values }) => {
    start += values.length;
    return block.subarray(start - values.length, start);
  });
}

/**
 * Writes the map `q ↦ A · q · B` (or `A · q⁻¹ · B` for unit q) as a 4×4. It is linear in the components of q, so slerp, Hermite splines
 * and their tangents can go through it.
 *
 * @param out Receives 16 floats, column-major.
 * @param a A, xyzw at `i`.
 * @param i Offset in `a`.
 * @param b B, xyzw at `j`.
 * @param j Offset in `b`.
 * @param inverted True for `A · q⁻¹ · B`.
 */
export function sandwichMatrix(
  out: Float64Array,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  inverted: boolean,
): void {
  const sign = inverted ? -1 : 1;
  for (let column = 0; column < 4; column++) {
    const o = 4 * column;
    quat.set(out, o, 0, 0, 0, 0);
    out[o + column] = column === 3 ? 1 : sign;
    quat.multiply(out, o, a, i, out, o);
    quat.multiply(out, o, out, o, b, j);
  }
}

/**
 * Multiplies every quaternion of a rotation track, tangents included, by a 4×4.
 *
 * @param out Receives as many floats as the track has values.
 * @param track The rotation track.
 * @param m 16 floats, column-major, from {@link sandwichMatrix}.
 */
export function mapRotationKeys(out: Floats, track: Track, m: Float64Array): void {
  const { values } = track;
  const xx = m[0];
  const xy = m[1];
  const xz = m[2];
  const xw = m[3];
  const yx = m[4];
  const yy = m[5];
  const yz = m[6];
  const yw = m[7];
  const zx = m[8];
  const zy = m[9];
  const zz = m[10];
  const zw = m[11];
  const wx = m[12];
  const wy = m[13];
  const wz = m[14];
  const ww = m[15];
  for (let i = 0; i < values.length; i += 4) {
    const x = values[i];
    const y = values[i + 1];
    const z = values[i + 2];
    const w = values[i + 3];
    out[i] = xx * x + yx * y + zx * z + wx * w;
    out[i + 1] = xy * x + yy * y + zy * z + wy * w;
    out[i + 2] = xz * x + yz * y + zz * z + wz * w;
    out[i + 3] = xw * x + yw * y + zw * z + ww * w;
  }
}

/**
 * Maps every vector of a track by `v ↦ linear · v + offset`; tangents by the linear part alone.
 *
 * @param track A translation or scale track.
 * @param linear 3×3, column-major.
 * @param offset 3 floats.
 * @returns The new values, of the same float type.
 */
export function mapVectorKeys(track: Track, linear: Float64Array, offset: ArrayLike<number>): Floats {
  const { values } = track;
  const out = allocateLike(values, values.length);
  const cubic = track.interpolation === 'CUBICSPLINE';
  for (let i = 0, element = 0; i < values.length; i += 3, element++) {
    const weight = cubic && element % 3 !== 1 ? 0 : 1;
    const x = values[i];
    const y = values[i + 1];
    const z = values[i + 2];
    out[i] = linear[0] * x + linear[3] * y + linear[6] * z + weight * offset[0];
    out[i + 1] = linear[1] * x + linear[4] * y + linear[7] * z + weight * offset[1];
    out[i + 2] = linear[2] * x + linear[5] * y + linear[8] * z + weight * offset[2];
  }
  return out;
}
