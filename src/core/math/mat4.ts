/**
 * Affine 4×4 matrices in flat arrays, column-major as in glTF. Each array argument is followed by the offset of the first element.
 * `out` may be an input; of those that transform a point or a direction, only that.
 * A transform (TRS) has 10 floats: translation xyz, rotation xyzw, scale xyz; its matrix is T · R · S.
 */
import type { Floats } from './floats.ts';
import * as quat from './quat.ts';

/** Greatest error of a recomposed T · R · S matrix, relative to its longest column: a few float32 roundings. */
const SHEAR_EPSILON = 1e-5;
/** Determinant below which a matrix is singular, relative to the product of its column lengths. */
const SINGULAR_EPSILON = 1e-12;

export function identity(out: Floats, o: number): void {
  for (let c = 0; c < 16; c++) out[o + c] = c % 5 === 0 ? 1 : 0;
}

export function createIdentity(): Float64Array {
  const out = new Float64Array(16);
  identity(out, 0);
  return out;
}

/** Returns whether a matrix is the identity. `tolerance`: greatest difference of an element. False also where an element is NaN. */
export function isIdentity(m: ArrayLike<number>, i: number, tolerance = 0): boolean {
  for (let c = 0; c < 16; c++) {
    if (!(Math.abs(m[i + c] - (c % 5 === 0 ? 1 : 0)) <= tolerance)) return false;
  }
  return true;
}

export function copy(out: Floats, o: number, a: ArrayLike<number>, i: number): void {
  for (let c = 0; c < 16; c++) out[o + c] = a[i + c];
}

/** Computes the matrix T · R · S. `trs` holds 10 floats at offset i: translation xyz, rotation xyzw (unit length), scale xyz. */
export function compose(out: Floats, o: number, trs: ArrayLike<number>, i: number): void {
  const tx = trs[i];
  const ty = trs[i + 1];
  const tz = trs[i + 2];
  const qx = trs[i + 3];
  const qy = trs[i + 4];
  const qz = trs[i + 5];
  const qw = trs[i + 6];
  const sx = trs[i + 7];
  const sy = trs[i + 8];
  const sz = trs[i + 9];
  const xx = 2 * qx * qx;
  const yy = 2 * qy * qy;
  const zz = 2 * qz * qz;
  const xy = 2 * qx * qy;
  const xz = 2 * qx * qz;
  const yz = 2 * qy * qz;
  const wx = 2 * qw * qx;
  const wy = 2 * qw * qy;
  const wz = 2 * qw * qz;
  out[o] = (1 - yy - zz) * sx;
  out[o + 1] = (xy + wz) * sx;
  out[o + 2] = (xz - wy) * sx;
  out[o + 3] = 0;
  out[o + 4] = (xy - wz) * sy;
  out[o + 5] = (1 - xx - zz) * sy;
  out[o + 6] = (yz + wx) * sy;
  out[o + 7] = 0;
  out[o + 8] = (xz + wy) * sz;
  out[o + 9] = (yz - wx) * sz;
  out[o + 10] = (1 - xx - yy) * sz;
  out[o + 11] = 0;
  out[o + 12] = tx;
  out[o + 13] = ty;
  out[o + 14] = tz;
  out[o + 15] = 1;
}

/** Scratch transform and matrix of decompose and multiplyTransform. */
const trsScratch = new Float64Array(10);
const matrixScratch = new Float64Array(16);

/**
 * Decomposes a matrix into translation, rotation and scale. Of a mirroring matrix the x scale is negative. `out` receives 10 floats at offset o:
 * translation xyz, rotation xyzw, scale xyz; may be `m`. Returns false where T · R · S is not the same matrix: it has shear, or numbers that are
 * not finite.
 */
export function decompose(out: Floats, o: number, m: ArrayLike<number>, i: number): boolean {
  const trs = trsScratch;
  trs[0] = m[i + 12];
  trs[1] = m[i + 13];
  trs[2] = m[i + 14];
  quat.fromMatrix(trs, 3, m, i);
  const xLength = Math.sqrt(m[i] * m[i] + m[i + 1] * m[i + 1] + m[i + 2] * m[i + 2]);
  trs[7] = determinant(m, i) < 0 ? -xLength : xLength;
  trs[8] = Math.sqrt(m[i + 4] * m[i + 4] + m[i + 5] * m[i + 5] + m[i + 6] * m[i + 6]);
  trs[9] = Math.sqrt(m[i + 8] * m[i + 8] + m[i + 9] * m[i + 9] + m[i + 10] * m[i + 10]);
  compose(matrixScratch, 0, trs, 0);
  const bound = SHEAR_EPSILON * Math.max(xLength, trs[8], trs[9]);
  let recomposes = Number.isFinite(trs[0] + trs[1] + trs[2]);
  for (let c = 0; c < 12; c++) {
    if (c % 4 !== 3 && !(Math.abs(matrixScratch[c] - m[i + c]) <= bound)) recomposes = false;
  }
  for (let c = 0; c < 10; c++) out[o + c] = trs[c];
  return recomposes;
}

/** Computes the determinant of the upper left 3×3 part; negative for a mirroring matrix. */
export function determinant(m: ArrayLike<number>, i: number): number {
  return (
    m[i] * (m[i + 5] * m[i + 10] - m[i + 6] * m[i + 9]) +
    m[i + 1] * (m[i + 6] * m[i + 8] - m[i + 4] * m[i + 10]) +
    m[i + 2] * (m[i + 4] * m[i + 9] - m[i + 5] * m[i + 8])
  );
}

/** Computes the product `a · b`, which applies `b` first. */
export function multiply(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  const a0 = a[i];
  const a1 = a[i + 1];
  const a2 = a[i + 2];
  const a3 = a[i + 3];
  const a4 = a[i + 4];
  const a5 = a[i + 5];
  const a6 = a[i + 6];
  const a7 = a[i + 7];
  const a8 = a[i + 8];
  const a9 = a[i + 9];
  const a10 = a[i + 10];
  const a11 = a[i + 11];
  const a12 = a[i + 12];
  const a13 = a[i + 13];
  const a14 = a[i + 14];
  const a15 = a[i + 15];
  for (let column = 0; column < 16; column += 4) {
    const x = b[j + column];
    const y = b[j + column + 1];
    const z = b[j + column + 2];
    const w = b[j + column + 3];
    out[o + column] = a0 * x + a4 * y + a8 * z + a12 * w;
    out[o + column + 1] = a1 * x + a5 * y + a9 * z + a13 * w;
    out[o + column + 2] = a2 * x + a6 * y + a10 * z + a14 * w;
    out[o + column + 3] = a3 * x + a7 * y + a11 * z + a15 * w;
  }
}

/** Computes the model matrix of a node: the product of that of its parent, `a`, and a transform, 10 floats at offset j as for {@link compose}. */
export function multiplyTransform(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  trs: ArrayLike<number>,
  j: number,
): void {
  compose(matrixScratch, 0, trs, j);
  multiply(out, o, a, i, matrixScratch, 0);
}

/**
 * Inverts an affine matrix, one with the last row 0 0 0 1. `out` receives 16 floats at offset o, unless the matrix is singular; may be `m`. Returns
 * false for a singular matrix; `out` is unchanged then.
 */
export function invertAffine(out: Floats, o: number, m: ArrayLike<number>, i: number): boolean {
  const xx = m[i];
  const xy = m[i + 1];
  const xz = m[i + 2];
  const yx = m[i + 4];
  const yy = m[i + 5];
  const yz = m[i + 6];
  const zx = m[i + 8];
  const zy = m[i + 9];
  const zz = m[i + 10];
  const tx = m[i + 12];
  const ty = m[i + 13];
  const tz = m[i + 14];
  const c0 = yy * zz - yz * zy;
  const c1 = yz * zx - yx * zz;
  const c2 = yx * zy - yy * zx;
  const det = xx * c0 + xy * c1 + xz * c2;
  const volume = Math.sqrt(
    (xx * xx + xy * xy + xz * xz) * (yx * yx + yy * yy + yz * yz) * (zx * zx + zy * zy + zz * zz),
  );
  if (!(Math.abs(det) > SINGULAR_EPSILON * volume) || !Number.isFinite(1 / det)) return false;
  const f = 1 / det;
  const r0 = c0 * f;
  const r1 = (xz * zy - xy * zz) * f;
  const r2 = (xy * yz - xz * yy) * f;
  const r4 = c1 * f;
  const r5 = (xx * zz - xz * zx) * f;
  const r6 = (xz * yx - xx * yz) * f;
  const r8 = c2 * f;
  const r9 = (xy * zx - xx * zy) * f;
  const r10 = (xx * yy - xy * yx) * f;
  out[o] = r0;
  out[o + 1] = r1;
  out[o + 2] = r2;
  out[o + 3] = 0;
  out[o + 4] = r4;
  out[o + 5] = r5;
  out[o + 6] = r6;
  out[o + 7] = 0;
  out[o + 8] = r8;
  out[o + 9] = r9;
  out[o + 10] = r10;
  out[o + 11] = 0;
  out[o + 12] = -(r0 * tx + r4 * ty + r8 * tz);
  out[o + 13] = -(r1 * tx + r5 * ty + r9 * tz);
  out[o + 14] = -(r2 * tx + r6 * ty + r10 * tz);
  out[o + 15] = 1;
  return true;
}

/** Transforms a point: `M · (p, 1)`. */
export function transformPoint(
  out: Floats,
  o: number,
  m: ArrayLike<number>,
  i: number,
  point: ArrayLike<number>,
  j: number,
): void {
  transformDirection(out, o, m, i, point, j);
  out[o] += m[i + 12];
  out[o + 1] += m[i + 13];
  out[o + 2] += m[i + 14];
}

/** Transforms a direction: `M · (d, 0)`, without translation and without normalization. */
export function transformDirection(
  out: Floats,
  o: number,
  m: ArrayLike<number>,
  i: number,
  direction: ArrayLike<number>,
  j: number,
): void {
  const x = direction[j];
  const y = direction[j + 1];
  const z = direction[j + 2];
  out[o] = m[i] * x + m[i + 4] * y + m[i + 8] * z;
  out[o + 1] = m[i + 1] * x + m[i + 5] * y + m[i + 9] * z;
  out[o + 2] = m[i + 2] * x + m[i + 6] * y + m[i + 10] * z;
}

/**
 * Computes the cofactors of the upper 3×3 part of a matrix, which are its inverse transpose times its determinant, times a factor. `out` may be `m`.
 */
export function cofactors(out: Floats, o: number, m: ArrayLike<number>, i: number, factor: number): void {
  const xx = m[i];
  const xy = m[i + 1];
  const xz = m[i + 2];
  const yx = m[i + 4];
  const yy = m[i + 5];
  const yz = m[i + 6];
  const zx = m[i + 8];
  const zy = m[i + 9];
  const zz = m[i + 10];
  out[o] = (yy * zz - yz * zy) * factor;
  out[o + 1] = (yz * zx - yx * zz) * factor;
  out[o + 2] = (yx * zy - yy * zx) * factor;
  out[o + 3] = 0;
  out[o + 4] = (zy * xz - zz * xy) * factor;
  out[o + 5] = (zz * xx - zx * xz) * factor;
  out[o + 6] = (zx * xy - zy * xx) * factor;
  out[o + 7] = 0;
  out[o + 8] = (xy * yz - xz * yy) * factor;
  out[o + 9] = (xz * yx - xx * yz) * factor;
  out[o + 10] = (xx * yy - xy * yx) * factor;
  for (let c = 11; c < 15; c++) out[o + c] = 0;
  out[o + 15] = 1;
}
