/**
 * Vectors of three floats in flat arrays: `(out, o, a, i, b, j)` with o, i, j the offsets of x. `out` may be an input.
 */
import type { Floats } from './floats.ts';

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

/** a + b */
export function add(out: Floats, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
  set(out, o, a[i] + b[j], a[i + 1] + b[j + 1], a[i + 2] + b[j + 2]);
}

/** a − b */
export function subtract(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  set(out, o, a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]);
}

/** a · factor */
export function scale(out: Floats, o: number, a: ArrayLike<number>, i: number, factor: number): void {
  set(out, o, a[i] * factor, a[i + 1] * factor, a[i + 2] * factor);
}

/** a + b · factor */
export function addScaled(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  factor: number,
): void {
  set(out, o, a[i] + b[j] * factor, a[i + 1] + b[j + 1] * factor, a[i + 2] + b[j + 2] * factor);
}

/** The scalar product of a and b. */
export function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

/** a × b */
export function cross(out: Floats, o: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): void {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  set(out, o, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
}

export function length(a: ArrayLike<number>, i: number): number {
  return Math.sqrt(dot(a, i, a, i));
}

/** ‖a − b‖ */
export function distance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** a / ‖a‖; returns ‖a‖. A zero vector stays zero. */
export function normalize(out: Floats, o: number, a: ArrayLike<number>, i: number): number {
  const former = length(a, i);
  scale(out, o, a, i, former > 0 ? 1 / former : 0);
  return former;
}

/** (1 − t) · a + t · b, the form of glTF Appendix C.3: exact at both ends. */
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
  set(out, o, s * a[i] + t * b[j], s * a[i + 1] + t * b[j + 1], s * a[i + 2] + t * b[j + 2]);
}

/** v turned by the unit quaternion q. */
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
  set(out, o, x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx);
}

/** The angle between two directions, 0…π radians; 0 when one has no length. By atan2: exact near 0 and π, where acos is not. */
export function angleBetween(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  return Math.atan2(Math.sqrt(x * x + y * y + z * z), dot(a, i, b, j));
}
