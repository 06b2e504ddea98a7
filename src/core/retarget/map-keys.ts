/** Applying a constant linear map to every key of a track. Nothing is sampled: STEP, LINEAR and CUBICSPLINE keys stay what they are. */
import type { Track } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';

/** Float buffer of the kind and size of another. */
function sameKind(values: Floats, length: number): Floats {
  return values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
}

/**
 * The map `q ↦ A · q · B` (or `A · q⁻¹ · B` for unit q) as a 4×4, column-major: it is linear in the four components of q, so that
 * slerp, Hermite splines and their tangents go through it unchanged.
 */
export function sandwichMatrix(
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  inverted: boolean,
): Float64Array {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const aw = a[i + 3];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  const matrix = new Float64Array(16);
  const sign = inverted ? -1 : 1;
  for (let column = 0; column < 4; column++) {
    const x = column === 0 ? sign : 0;
    const y = column === 1 ? sign : 0;
    const z = column === 2 ? sign : 0;
    const w = column === 3 ? 1 : 0;
    const px = aw * x + ax * w + ay * z - az * y;
    const py = aw * y - ax * z + ay * w + az * x;
    const pz = aw * z + ax * y - ay * x + az * w;
    const pw = aw * w - ax * x - ay * y - az * z;
    matrix[4 * column] = pw * bx + px * bw + py * bz - pz * by;
    matrix[4 * column + 1] = pw * by - px * bz + py * bw + pz * bx;
    matrix[4 * column + 2] = pw * bz + px * by - py * bx + pz * bw;
    matrix[4 * column + 3] = pw * bw - px * bx - py * by - pz * bz;
  }
  return matrix;
}

/** Every quaternion of a rotation track through a 4×4; tangents like values. */
export function mapRotationKeys(track: Track, matrix: Float64Array): Floats {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = matrix;
  const { values } = track;
  const out = sameKind(values, values.length);
  for (let i = 0; i < values.length; i += 4) {
    const x = values[i];
    const y = values[i + 1];
    const z = values[i + 2];
    const w = values[i + 3];
    out[i] = m0 * x + m4 * y + m8 * z + m12 * w;
    out[i + 1] = m1 * x + m5 * y + m9 * z + m13 * w;
    out[i + 2] = m2 * x + m6 * y + m10 * z + m14 * w;
    out[i + 3] = m3 * x + m7 * y + m11 * z + m15 * w;
  }
  return out;
}

/** Every vector of a track through `v ↦ linear · v + offset` (3×3 column-major); tangents through the linear part alone. */
export function mapVectorKeys(track: Track, linear: Float64Array, offset: ArrayLike<number>): Floats {
  const { values } = track;
  const out = sameKind(values, values.length);
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
