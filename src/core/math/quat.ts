/**
 * Quaternions xyzw in flat arrays: `(out, o, a, i, b, j)` with o, i, j the offsets of x. `out` may be an input.
 * A rotation by q turns v to q · v · q⁻¹; in the product a · b, b turns first.
 */
import type { Floats } from './floats.ts';

/** Below this squared length a quaternion has no direction left. */
const ZERO_SQUARED = 1e-60;
/** From this cosine on (an angle of 1e-5 radians between the quaternions) slerp and lerp differ by less than a float64 rounding. */
const COS_LERP = 1 - 5e-11;
/** Sine below which two opposite directions leave the axis of the shortest arc open. */
const OPPOSITE_SINE = 1e-12;

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
  set(out, o, a[i], a[i + 1], a[i + 2], a[i + 3]);
}

/** a · b: first b, then a. */
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

/** The inverse of a unit quaternion. */
export function conjugate(out: Floats, o: number, a: ArrayLike<number>, i: number): void {
  set(out, o, -a[i], -a[i + 1], -a[i + 2], a[i + 3]);
}

export function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
}

/** a / ‖a‖; returns ‖a‖. A zero quaternion becomes the identity. */
export function normalize(out: Floats, o: number, a: ArrayLike<number>, i: number): number {
  const squared = dot(a, i, a, i);
  if (squared < ZERO_SQUARED) {
    identity(out, o);
    return Math.sqrt(squared);
  }
  const former = Math.sqrt(squared);
  const factor = 1 / former;
  set(out, o, a[i] * factor, a[i + 1] * factor, a[i + 2] * factor, a[i + 3] * factor);
  return former;
}

/**
 * Spherical linear interpolation along the shorter way, glTF Appendix C.4: starts at a, ends at s · b with s the sign of
 * a · b, where sign(0) = +1; becomes linear where the angle is close to 0. The result is unit also where a or b is a
 * little (or much) off unit length; a zero quaternion counts as no contribution.
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
 * The angle of the rotation from a to b, 0…π radians; q and −q are the same rotation. From the chords (Kahan), so that
 * angles down to 1e-16 are exact, where acos of the dot product reads 1e-8 as 0.
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

/** The rotation by `angle` radians about a unit axis. */
export function fromAxisAngle(out: Floats, o: number, axis: ArrayLike<number>, i: number, angle: number): void {
  const sin = Math.sin(angle / 2);
  set(out, o, axis[i] * sin, axis[i + 1] * sin, axis[i + 2] * sin, Math.cos(angle / 2));
}

/** Two scratch vectors of fromTo and swingTwist. */
const scratch = new Float64Array(8);

/** Puts into scratch 0…2 the unit part of v that is perpendicular to the unit vector u; false when there is hardly any. */
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
 * The shortest rotation that turns direction `a` to direction `b` (any lengths; identity when one has none). For opposite
 * directions the axis is open: it is `axis` at k, as far as that is perpendicular to a, else the coordinate axis that a
 * has least of.
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
  const aLength = Math.sqrt(a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2]);
  const bLength = Math.sqrt(b[j] * b[j] + b[j + 1] * b[j + 1] + b[j + 2] * b[j + 2]);
  if (!(aLength > 0 && bLength > 0)) return identity(out, o);
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
    return set(out, o, x * factor, y * factor, z * factor, w * factor);
  }
  // Towards 180° the cross product is short and its rounding tilts the axis: make it perpendicular to a again.
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
 * Splits q = swing · twist: twist turns about the unit `axis`, swing about an axis perpendicular to it. Where q turns the
 * axis to its opposite the twist is open: it is the identity then. Twist has w ≥ 0.
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

/** The rotation whose matrix has these three orthonormal columns (Shepperd: the largest of four components leads). */
function fromColumns(
  out: Floats,
  o: number,
  xx: number,
  xy: number,
  xz: number,
  yx: number,
  yy: number,
  yz: number,
  zx: number,
  zy: number,
  zz: number,
): void {
  const trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) set(out, o, yz - zy, zx - xz, xy - yx, 1 + trace);
  else if (xx >= yy && xx >= zz) set(out, o, 1 + xx - yy - zz, xy + yx, xz + zx, yz - zy);
  else if (yy >= zz) set(out, o, xy + yx, 1 - xx + yy - zz, yz + zy, zx - xz);
  else set(out, o, xz + zx, yz + zy, 1 - xx - yy + zz, xy - yx);
  normalize(out, o, out, o);
}

/** The rotation that turns the coordinate axes to the orthonormal, right-handed directions x, y, z. */
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
  fromColumns(out, o, x[i], x[i + 1], x[i + 2], y[j], y[j + 1], y[j + 2], z[k], z[k + 1], z[k + 2]);
}

/**
 * The rotation of a column-major 4×4 matrix: scale is taken out first; of a mirroring matrix (negative determinant) the x
 * column is turned round, and a column without length is made up from the others.
 */
export function fromMatrix(out: Floats, o: number, m: ArrayLike<number>, i: number): void {
  let xx = m[i];
  let xy = m[i + 1];
  let xz = m[i + 2];
  let yx = m[i + 4];
  let yy = m[i + 5];
  let yz = m[i + 6];
  let zx = m[i + 8];
  let zy = m[i + 9];
  let zz = m[i + 10];
  const xLength = Math.sqrt(xx * xx + xy * xy + xz * xz);
  const yLength = Math.sqrt(yx * yx + yy * yy + yz * yz);
  const zLength = Math.sqrt(zx * zx + zy * zy + zz * zz);
  const absent = (xLength > 0 ? 0 : 1) + (yLength > 0 ? 0 : 1) + (zLength > 0 ? 0 : 1);
  if (absent > 1) return fromFewColumns(out, o, m, i, xLength, yLength, zLength);
  if (xLength > 0) {
    xx /= xLength;
    xy /= xLength;
    xz /= xLength;
  }
  if (yLength > 0) {
    yx /= yLength;
    yy /= yLength;
    yz /= yLength;
  } else {
    yx = zy * xz - zz * xy;
    yy = zz * xx - zx * xz;
    yz = zx * xy - zy * xx;
    const factor = 1 / (Math.sqrt(yx * yx + yy * yy + yz * yz) || 1);
    yx *= factor;
    yy *= factor;
    yz *= factor;
  }
  if (zLength > 0) {
    zx /= zLength;
    zy /= zLength;
    zz /= zLength;
  } else {
    zx = xy * yz - xz * yy;
    zy = xz * yx - xx * yz;
    zz = xx * yy - xy * yx;
  }
  const crossX = yy * zz - yz * zy;
  const crossY = yz * zx - yx * zz;
  const crossZ = yx * zy - yy * zx;
  if (!(xLength > 0)) {
    xx = crossX;
    xy = crossY;
    xz = crossZ;
  } else if (xx * crossX + xy * crossY + xz * crossZ < 0) {
    xx = -xx;
    xy = -xy;
    xz = -xz;
  }
  fromColumns(out, o, xx, xy, xz, yx, yy, yz, zx, zy, zz);
}

const AXES = new Float64Array([1, 0, 0, 0, 1, 0, 0, 0, 1]);

/** One column left: the shortest turn of its axis to it. None left: the identity. */
function fromFewColumns(
  out: Floats,
  o: number,
  m: ArrayLike<number>,
  i: number,
  xLength: number,
  yLength: number,
  zLength: number,
): void {
  if (xLength > 0) fromTo(out, o, AXES, 0, m, i);
  else if (yLength > 0) fromTo(out, o, AXES, 3, m, i + 4);
  else if (zLength > 0) fromTo(out, o, AXES, 6, m, i + 8);
  else identity(out, o);
}
