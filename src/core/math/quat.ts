/**
 * Quaternions xyzw in flat arrays. The arguments are `(out, o, a, i, b, j)`: arrays, each followed by the offset of x. `out` may be an
 * input. Rotations are unit quaternions: q maps v to q · v · q⁻¹, and the product a · b applies b first. Functions that run per frame
 * do not call `set`: the engine boxes numbers that it passes to a function that it does not inline.
 */
import type { Floats } from './floats.ts';

/** Squared length below which a quaternion counts as zero. */
const ZERO_SQUARED = 1e-60;
/** Cosine above which slerp uses lerp: at an angle of 1e-7 between the quaternions the two differ by 1e-15. */
const COS_LERP = 1 - 5e-15;
/** Sine below which the axis of the shortest arc between two opposite directions is ambiguous. */
const OPPOSITE_SINE = 1e-12;
/** Products of two lengths whose squares are normal numbers. */
const SMALLEST_PRODUCT = 1e-140;
const LARGEST_PRODUCT = 1e140;

export function set(out: Floats, o: number, x: number, y: number, z: number, w: number): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

export function identity(out: Floats, o: number): void {
  set(out, o, 0, 0, 0, 1);
}

export function copy(out: Floats, o: number, a: ArrayLike<number>, i: number): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  const w = a[i + 3];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

/** Computes the product `a · b`: the rotation by `b`, followed by the rotation by `a`. */
export function multiply(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const aw = a[i + 3];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Returns the conjugate as a new array, for code that does not run per frame. */
export function conjugated(a: ArrayLike<number>, i = 0): Float64Array {
  const out = new Float64Array(4);
  conjugate(out, 0, a, i);
  return out;
}

/** Computes the conjugate, which is the inverse of a unit quaternion. */
export function conjugate(out: Floats, o: number, a: ArrayLike<number>, i: number): void {
  const x = -a[i];
  const y = -a[i + 1];
  const z = -a[i + 2];
  const w = a[i + 3];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
}

export function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
}

/** Scales a quaternion to length 1, and returns its former length. A zero quaternion becomes the identity. */
export function normalize(out: Floats, o: number, a: ArrayLike<number>, i: number): number {
  const squared = a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2] + a[i + 3] * a[i + 3];
  if (squared < ZERO_SQUARED) {
    identity(out, o);
    return Math.sqrt(squared);
  }
  const former = Math.sqrt(squared);
  const factor = 1 / former;
  const x = a[i] * factor;
  const y = a[i + 1] * factor;
  const z = a[i + 2] * factor;
  const w = a[i + 3] * factor;
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
  out[o + 3] = w;
  return former;
}

/**
 * Interpolates two rotations spherically along the shorter arc, as glTF 2.0, Appendix C.4. The result starts at `a` and ends at `s · b`, with s the
 * sign of `a · b` and sign(0) = +1. Close to an angle of 0 it becomes linear. The result has unit length even where the inputs do not; a zero
 * quaternion contributes nothing. `t`: position between `a` (0) and `b` (1).
 */
export function slerp(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  t: number,
): void {
  const ax = a[i];
  const ay = a[i + 1];
  const az = a[i + 2];
  const aw = a[i + 3];
  const bx = b[j];
  const by = b[j + 1];
  const bz = b[j + 2];
  const bw = b[j + 3];
  const aSquared = ax * ax + ay * ay + az * az + aw * aw;
  const bSquared = bx * bx + by * by + bz * bz + bw * bw;
  let aWeight = aSquared < ZERO_SQUARED ? 0 : 1 / Math.sqrt(aSquared);
  let bWeight = bSquared < ZERO_SQUARED ? 0 : 1 / Math.sqrt(bSquared);
  const signed = (ax * bx + ay * by + az * bz + aw * bw) * aWeight * bWeight;
  const cos = Math.min(Math.abs(signed), 1);
  if (signed < 0) bWeight = -bWeight;
  if (cos > COS_LERP) {
    aWeight *= 1 - t;
    bWeight *= t;
  } else {
    const sin = Math.sqrt((1 - cos) * (1 + cos));
    const angle = Math.atan2(sin, cos);
    aWeight *= Math.sin(angle * (1 - t)) / sin;
    bWeight *= Math.sin(angle * t) / sin;
  }
  out[o] = aWeight * ax + bWeight * bx;
  out[o + 1] = aWeight * ay + bWeight * by;
  out[o + 2] = aWeight * az + bWeight * bz;
  out[o + 3] = aWeight * aw + bWeight * bw;
}

/**
 * Computes the angle of the rotation from `a` to `b`; q and −q are the same rotation. It is computed from the chords (Kahan), so that angles down
 * to 1e-16 are exact; acos of the dot product returns 0 for angles below 1e-8. Returns 0 to π, radians.
 */
export function angleBetween(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const aLength = Math.sqrt(dot(a, i, a, i));
  const bLength = Math.sqrt(dot(b, j, b, j));
  let difference = 0;
  let sum = 0;
  for (let c = 0; c < 4; c++) {
    const x = a[i + c] * bLength;
    const y = b[j + c] * aLength;
    difference += (x - y) * (x - y);
    sum += (x + y) * (x + y);
  }
  return 4 * Math.atan2(Math.sqrt(Math.min(difference, sum)), Math.sqrt(Math.max(difference, sum)));
}

/**
 * Computes the rotation about an axis. `axis` holds 3 floats at offset i: unit vector. `angle`: radians, counterclockwise when the axis points at
 * the viewer.
 */
export function fromAxisAngle(out: Floats, o: number, axis: ArrayLike<number>, i: number, angle: number): void {
  const sin = Math.sin(angle / 2);
  set(out, o, axis[i] * sin, axis[i + 1] * sin, axis[i + 2] * sin, Math.cos(angle / 2));
}

/** Two scratch values of fromTo and swingTwist. */
const scratch = new Float64Array(8);

/** Writes the normalized component of v perpendicular to the unit vector u to scratch 0…2; returns false when it is almost zero. */
function perpendicular(vx: number, vy: number, vz: number, ux: number, uy: number, uz: number): boolean {
  const along = vx * ux + vy * uy + vz * uz;
  const x = vx - along * ux;
  const y = vy - along * uy;
  const z = vz - along * uz;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 1e-6 * Math.sqrt(vx * vx + vy * vy + vz * vz))) return false;
  scratch[0] = x / length;
  scratch[1] = y / length;
  scratch[2] = z / length;
  return true;
}

/**
 * Computes the shortest rotation from direction `a` to direction `b`; the identity when one of them has zero length. For opposite directions the
 * axis is ambiguous: the component of `axis` perpendicular to `a` is used, else the coordinate axis farthest from `a`. `a` holds 3 floats at offset
 * i: direction of any length. `b` holds 3 floats at offset j: direction of any length. `axis` holds 3 floats at offset k: preferred axis for
 * opposite directions.
 */
export function fromTo(
  out: Floats,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  axis?: ArrayLike<number>,
  k = 0,
): void {
  const aa = a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2];
  const bb = b[j] * b[j] + b[j + 1] * b[j + 1] + b[j + 2] * b[j + 2];
  const product = Math.sqrt(aa * bb);
  const real = product + a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
  // Nearly always: an angle below 120°, and lengths whose product is a normal number. The squared norm of the quaternion is 2·|a||b|·w.
  if (real > 0.5 * product && product > SMALLEST_PRODUCT && product < LARGEST_PRODUCT) {
    const factor = 1 / Math.sqrt(2 * product * real);
    const x = (a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]) * factor;
    const y = (a[i + 2] * b[j] - a[i] * b[j + 2]) * factor;
    out[o + 2] = (a[i] * b[j + 1] - a[i + 1] * b[j]) * factor;
    out[o] = x;
    out[o + 1] = y;
    out[o + 3] = real * factor;
    return;
  }
  const aLength = Math.sqrt(aa);
  const bLength = Math.sqrt(bb);
  if (!(aLength > 0 && bLength > 0)) {
    identity(out, o);
    return;
  }
  const ax = a[i] / aLength;
  const ay = a[i + 1] / aLength;
  const az = a[i + 2] / aLength;
  const bx = b[j] / bLength;
  const by = b[j + 1] / bLength;
  const bz = b[j + 2] / bLength;
  const x = ay * bz - az * by;
  const y = az * bx - ax * bz;
  const z = ax * by - ay * bx;
  const w = 1 + ax * bx + ay * by + az * bz;
  if (w > 0.5) {
    const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    out[o] = x * factor;
    out[o + 1] = y * factor;
    out[o + 2] = z * factor;
    out[o + 3] = w * factor;
    return;
  }
  // Near 180° the cross product is short and rounding tilts the axis, so it is made perpendicular to a again.
  const sine = Math.sqrt(x * x + y * y + z * z);
  const found =
    (sine > OPPOSITE_SINE && perpendicular(x, y, z, ax, ay, az)) ||
    (axis !== undefined && perpendicular(axis[k], axis[k + 1], axis[k + 2], ax, ay, az));
  if (!found) {
    const least = Math.min(Math.abs(ax), Math.abs(ay), Math.abs(az));
    const alongX = least === Math.abs(ax);
    const alongY = !alongX && least === Math.abs(ay);
    perpendicular(alongX ? 1 : 0, alongY ? 1 : 0, alongX || alongY ? 0 : 1, ax, ay, az);
  }
  const half = Math.atan2(sine, w - 1) / 2;
  const sin = Math.sin(half);
  set(out, o, scratch[0] * sin, scratch[1] * sin, scratch[2] * sin, Math.cos(half));
}

/**
 * Decomposes a rotation as `q = swing · twist`: the twist rotates about `axis`, the swing about an axis perpendicular to it. Where q reverses the
 * axis, the twist is ambiguous and becomes the identity. The twist has w ≥ 0. `axis` holds 3 floats at offset j: unit vector.
 */
export function swingTwist(
  swing: Floats,
  s: number,
  twist: Floats,
  t: number,
  q: ArrayLike<number>,
  i: number,
  axis: ArrayLike<number>,
  j: number,
): void {
  const x = axis[j];
  const y = axis[j + 1];
  const z = axis[j + 2];
  let w = q[i + 3];
  let along = q[i] * x + q[i + 1] * y + q[i + 2] * z;
  const length = Math.sqrt(along * along + w * w);
  if (length < 1e-12) {
    along = 0;
    w = 1;
  } else {
    const factor = w < 0 ? -1 / length : 1 / length;
    along *= factor;
    w *= factor;
  }
  set(scratch, 4, -along * x, -along * y, -along * z, w);
  multiply(swing, s, q, i, scratch, 4);
  conjugate(twist, t, scratch, 4);
}

/**
 * Computes the rotation that maps the coordinate axes to the directions x, y, z, which are orthonormal and right-handed. `x` holds 3 floats at
 * offset i: image of the x axis. `y` holds 3 floats at offset j: image of the y axis. `z` holds 3 floats at offset k: image of the z axis.
 */
export function fromBasis(
  out: Floats,
  o: number,
  x: ArrayLike<number>,
  i: number,
  y: ArrayLike<number>,
  j: number,
  z: ArrayLike<number>,
  k: number,
): void {
  for (let c = 0; c < 3; c++) {
    columns[c] = x[i + c];
    columns[3 + c] = y[j + c];
    columns[6 + c] = z[k + c];
  }
  fromColumns(out, o);
}

/** Scratch: the three columns of a rotation matrix. */
const columns = new Float64Array(9);
const AXES = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);

/** Writes the rotation of the matrix in `columns`. Shepperd's method: it starts from the largest component to avoid cancellation. */
function fromColumns(out: Floats, o: number): void {
  const xx = columns[0];
  const xy = columns[1];
  const xz = columns[2];
  const yx = columns[3];
  const yy = columns[4];
  const yz = columns[5];
  const zx = columns[6];
  const zy = columns[7];
  const zz = columns[8];
  const trace = xx + yy + zz;
  let x = yz - zy;
  let y = zx - xz;
  let z = xy - yx;
  let w = 1 + trace;
  if (xx > trace && xx >= yy && xx >= zz) {
    w = x;
    x = 1 + xx - yy - zz;
    y = xy + yx;
    z = xz + zx;
  } else if (yy > trace && yy >= zz) {
    w = y;
    x = xy + yx;
    y = 1 - xx + yy - zz;
    z = yz + zy;
  } else if (zz > trace) {
    w = z;
    x = xz + zx;
    y = yz + zy;
    z = 1 - xx - yy + zz;
  }
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (length > 0) set(out, o, x / length, y / length, z / length, w / length);
  else identity(out, o);
}

/** Writes the normalized cross product of the columns at offsets a and b to offset c of `columns`. */
function crossColumns(c: number, a: number, b: number): void {
  const x = columns[a + 1] * columns[b + 2] - columns[a + 2] * columns[b + 1];
  const y = columns[a + 2] * columns[b] - columns[a] * columns[b + 2];
  const z = columns[a] * columns[b + 1] - columns[a + 1] * columns[b];
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  columns[c] = x / length;
  columns[c + 1] = y / length;
  columns[c + 2] = z / length;
}

/**
 * Extracts the rotation of a matrix. Scale is removed first. Of a mirroring matrix (negative determinant) the x column is negated.
 * A column of zero length is derived from the others.
 */
export function fromMatrix(out: Floats, o: number, m: ArrayLike<number>, i: number): void {
  let absent = -1;
  let present = -1;
  let presentCount = 0;
  for (let c = 0; c < 3; c++) {
    const x = m[i + 4 * c];
    const y = m[i + 4 * c + 1];
    const z = m[i + 4 * c + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) {
      columns[3 * c] = x / length;
      columns[3 * c + 1] = y / length;
      columns[3 * c + 2] = z / length;
      present = c;
      presentCount++;
    } else absent = c;
  }
  if (presentCount === 0) {
    identity(out, o);
    return;
  }
  if (presentCount === 1) {
    fromTo(out, o, AXES, 3 * present, columns, 3 * present);
    return;
  }
  if (absent >= 0) crossColumns(3 * absent, 3 * ((absent + 1) % 3), 3 * ((absent + 2) % 3));
  else if (mirrors()) for (let c = 0; c < 3; c++) columns[c] = -columns[c];
  fromColumns(out, o);
}

/** Returns whether `columns` is left-handed: x · (y × z) < 0. */
function mirrors(): boolean {
  let volume = 0;
  for (let c = 0; c < 3; c++) {
    const d = (c + 1) % 3;
    const e = (c + 2) % 3;
    volume += columns[c] * (columns[3 + d] * columns[6 + e] - columns[3 + e] * columns[6 + d]);
  }
  return volume < 0;
}
