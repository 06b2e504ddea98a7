/** Applies a constant linear map to every key of a track. Nothing is sampled: STEP, LINEAR and CUBICSPLINE tracks keep their interpolation. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/** Allocates a float buffer of the same type as another. */
function allocateLike(values: Floats, length: number): Floats {
  return values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
}

/**
 * Allocates a buffer as long as the values of each track, as views of one block of memory: one allocation per track would take longer than mapping its keys.
 * They are float32 if all tracks are float32, else float64.
 */
function valueBuffers(tracks: readonly Track[]): Floats[] {
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
 * Maps the keys of rotation tracks, each by its own 4×4 of `matrices` (16 floats, column-major, from `sandwichMatrix`). Returns the new values of each
 * track; all are views of one block of memory.
 */
export type RotationMapper = (tracks: readonly Track[], matrices: Float64Array) => Floats[];

/**
 * Maps the keys of rotation tracks.
 *
 * @param tracks The tracks.
 * @param matrices 16 floats per track, column-major, from `sandwichMatrix`.
 * @returns The new values of each track, tangents included.
 */
export function mapRotationTracks(tracks: readonly Track[], matrices: Float64Array): Floats[] {
  const buffers = valueBuffers(tracks);
  for (const [k, track] of tracks.entries()) mapRotationKeys(buffers[k], track, matrices, MATRIX_STRIDE * k);
  return buffers;
}

/**
 * Writes the map `q ↦ A · q · B` (or `A · q⁻¹ · B` for unit q) as a 4×4. It is linear in the components of q, so slerp, Hermite splines
 * and their tangents can go through it.
 *
 * @param out Receives 16 floats at `o`, column-major.
 * @param o Offset in `out`.
 * @param a A, xyzw at `i`.
 * @param i Offset in `a`.
 * @param b B, xyzw at `j`.
 * @param j Offset in `b`.
 * @param inverted True for `A · q⁻¹ · B`.
 */
export function sandwichMatrix(
  out: Float64Array,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  inverted: boolean,
): void {
  const sign = inverted ? -1 : 1;
  for (let column = 0; column < 4; column++) {
    const at = o + 4 * column;
    quat.set(out, at, 0, 0, 0, 0);
    out[at + column] = column === 3 ? 1 : sign;
    quat.multiply(out, at, a, i, out, at);
    quat.multiply(out, at, out, at, b, j);
  }
}

/**
 * Multiplies every quaternion of a rotation track, tangents included, by a 4×4.
 *
 * @param out Receives as many floats as the track has values.
 * @param track The rotation track.
 * @param m 16 floats at `i`, column-major, from `sandwichMatrix`.
 * @param i Offset in `m`.
 */
export function mapRotationKeys(out: Floats, track: Track, m: Float64Array, i: number): void {
  const { values } = track;
  const xx = m[i];
  const xy = m[i + 1];
  const xz = m[i + 2];
  const xw = m[i + 3];
  const yx = m[i + 4];
  const yy = m[i + 5];
  const yz = m[i + 6];
  const yw = m[i + 7];
  const zx = m[i + 8];
  const zy = m[i + 9];
  const zz = m[i + 10];
  const zw = m[i + 11];
  const wx = m[i + 12];
  const wy = m[i + 13];
  const wz = m[i + 14];
  const ww = m[i + 15];
  for (let at = 0; at < values.length; at += 4) {
    const x = values[at];
    const y = values[at + 1];
    const z = values[at + 2];
    const w = values[at + 3];
    out[at] = xx * x + yx * y + zx * z + wx * w;
    out[at + 1] = xy * x + yy * y + zy * z + wy * w;
    out[at + 2] = xz * x + yz * y + zz * z + wz * w;
    out[at + 3] = xw * x + yw * y + zw * z + ww * w;
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
