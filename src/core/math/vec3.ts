/**
 * Vectors of three floats in flat arrays. The arguments are `(out, o, a, i, b, j)`: arrays, each followed by the offset of x. `out` may
 * be an input.
 */
import type { Floats } from './floats.ts';

/** Three numbers as a value, for code that does not run per frame. */
export type Vec3 = readonly [number, number, number];

export function copy(out: Floats, o: number, a: ArrayLike<number>, i: number): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function set(out: Floats, o: number, x: number, y: number, z: number): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function add(out: Floats, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
  const x = a[i] + b[j];
  const y = a[i + 1] + b[j + 1];
  const z = a[i + 2] + b[j + 2];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function subtract(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function scale(out: Floats, o: number, a: ArrayLike<number>, i: number, factor: number): void {
  const x = a[i] * factor;
  const y = a[i + 1] * factor;
  const z = a[i + 2] * factor;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function addScaled(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  factor: number,
): void {
  const x = a[i] + b[j] * factor;
  const y = a[i + 1] + b[j + 1] * factor;
  const z = a[i + 2] + b[j + 2] * factor;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

export function cross(out: Floats, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function length(a: ArrayLike<number>, i: number): number {
  return Math.sqrt(dot(a, i, a, i));
}

export function distance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Scales a vector to length 1, and returns its former length. A zero vector stays zero. */
export function normalize(out: Floats, o: number, a: ArrayLike<number>, i: number): number {
  const former = length(a, i);
  scale(out, o, a, i, former > 0 ? 1 / former : 0);
  return former;
}

/**
 * Interpolates linearly: `(1 − t) · a + t · b`, the form of glTF 2.0, Appendix C.3, which is exact at both ends. `t`: position between `a` (0) and
 * `b` (1).
 */
export function lerp(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  t: number,
): void {
  const s = 1 - t;
  const x = s * a[i] + t * b[j];
  const y = s * a[i + 1] + t * b[j + 1];
  const z = s * a[i + 2] + t * b[j + 2];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

export function rotate(out: Floats, o: number, q: ArrayLike<number>, i: number, v: ArrayLike<number>, j: number): void {
  const qx = q[i];
  const qy = q[i + 1];
  const qz = q[i + 2];
  const qw = q[i + 3];
  const x = v[j];
  const y = v[j + 1];
  const z = v[j + 2];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  const xOut = x + qw * tx + qy * tz - qz * ty;
  const yOut = y + qw * ty + qz * tx - qx * tz;
  const zOut = z + qw * tz + qx * ty - qy * tx;
  out[o] = xOut;
  out[o + 1] = yOut;
  out[o + 2] = zOut;
}

/** Rotates a vector by the inverse of a quaternion: {@link rotate} with its axis negated, without a buffer for the conjugate. */
export function rotateBack(
  out: Floats,
  o: number,
  q: ArrayLike<number>,
  i: number,
  v: ArrayLike<number>,
  j: number,
): void {
  const qx = -q[i];
  const qy = -q[i + 1];
  const qz = -q[i + 2];
  const qw = q[i + 3];
  const x = v[j];
  const y = v[j + 1];
  const z = v[j + 2];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  const xOut = x + qw * tx + qy * tz - qz * ty;
  const yOut = y + qw * ty + qz * tx - qx * tz;
  const zOut = z + qw * tz + qx * ty - qy * tx;
  out[o] = xOut;
  out[o + 1] = yOut;
  out[o + 2] = zOut;
}

/**
 * Computes the angle between two directions. It uses atan2, which is exact near 0 and π, where acos is not. Returns 0 to π, radians; 0 when a
 * direction has zero length.
 */
export function angleBetween(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  return Math.atan2(Math.sqrt(x * x + y * y + z * z), dot(a, i, b, j));
}
