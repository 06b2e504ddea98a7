/** Applies a constant linear map to every key of a track. Nothing is sampled: STEP, LINEAR and CUBICSPLINE tracks keep their interpolation. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';

/**
 * Writes the map `q ↦ A · q · B` (or `A · q⁻¹ · B` for unit q) as a 4×4. It is linear in the components of q, so slerp, Hermite splines and their
 * tangents can go through it. `out` receives 16 floats at `o`, column-major. `a`: A of the map, xyzw at `i`. `b`: B, xyzw at `j`.
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
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  const w = a[i + 3];
  const sign = inverted ? -1 : 1;
  // The columns are the products A · (1, 0, 0, 0) · B to A · (0, 0, 0, 1) · B, of which the first factors are A with its components exchanged.
  multiplyParts(out, o, sign * w, sign * z, -sign * y, -sign * x, b, j);
  multiplyParts(out, o + 4, -sign * z, sign * w, sign * x, -sign * y, b, j);
  multiplyParts(out, o + 8, sign * y, -sign * x, sign * w, -sign * z, b, j);
  multiplyParts(out, o + 12, x, y, z, w, b, j);
}

/** Writes the product of the quaternion with the components x, y, z, w and that at `j` of `b`. */
function multiplyParts(
  out: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  w: number,
  b: ArrayLike<number>,
  j: number,
): void {
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  out[o] = w * bx + x * bw + y * bz - z * by;
  out[o + 1] = w * by - x * bz + y * bw + z * bx;
  out[o + 2] = w * bz + x * by - y * bx + z * bw;
  out[o + 3] = w * bw - x * bx - y * by - z * bz;
}

/**
 * Multiplies every quaternion of a rotation track, tangents included, by a 4×4. `out` receives as many floats as the track has values. `m`: 16
 * floats at `i`, column-major, from `sandwichMatrix`.
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
 * Maps every vector of a track by `v ↦ linear · v + offset`; tangents by the linear part alone. `out` receives as many floats as the track has
 * values.
 */
export function mapVectorKeys(out: Floats, track: Track, linear: Float64Array, offset: ArrayLike<number>): void {
  const { values } = track;
  const cubic = track.interpolation === 'CUBICSPLINE';
  const xx = linear[0];
  const xy = linear[1];
  const xz = linear[2];
  const yx = linear[3];
  const yy = linear[4];
  const yz = linear[5];
  const zx = linear[6];
  const zy = linear[7];
  const zz = linear[8];
  const ox = offset[0];
  const oy = offset[1];
  const oz = offset[2];
  for (let i = 0, element = 0; i < values.length; i += 3, element++) {
    const weight = cubic && element % 3 !== 1 ? 0 : 1;
    const x = values[i];
    const y = values[i + 1];
    const z = values[i + 2];
    out[i] = xx * x + yx * y + zx * z + weight * ox;
    out[i + 1] = xy * x + yy * y + zy * z + weight * oy;
    out[i + 2] = xz * x + yz * y + zz * z + weight * oz;
  }
}
