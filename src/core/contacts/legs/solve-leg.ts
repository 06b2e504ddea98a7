/** Two-bone inverse kinematics of a leg that keeps the plane of the knee. */
import * as quat from '../../math/quat.ts';

/** Knee offsets, relative to the thigh, below which the bend direction is noise, and above which it is trusted. */
const STRAIGHT_OFFSET = 0.03;
const BENT_OFFSET = 0.12;
/** A knee with a smaller offset, relative to the thigh, is straight. */
const NO_OFFSET = 1e-9;

/**
 * Compresses an extension softly: up to `start` nothing changes; above it approaches `end` without reaching it. `extension`: distance from hip to
 * ankle relative to the length of the leg.
 */
export function softReach(extension: number, start: number, end: number): number {
  if (extension <= start) return extension;
  const room = end - start;
  return room > 0 ? start + room * (1 - Math.exp(-(extension - start) / room)) : start;
}

const axis = new Float64Array(3);
const direction = new Float64Array(3);
const bend = new Float64Array(3);
const forward = new Float64Array(3);
const arc = new Float64Array(4);
const shortest = new Float64Array(4);
const bone = new Float64Array(3);
const wanted = new Float64Array(3);
/** Length of the thigh, and wanted offset of the knee from the axis of the leg. */
const lengths = new Float64Array(2);

// Numbers are not passed to or returned from functions below: the engine would box them, and live contacts do not allocate. The functions of `vec3` take
// arrays of every kind; those below, on the buffers of this file alone, are faster.

/**
 * Gives the offset of the knee in `bend` a new length. A bent knee keeps its plane. The plane of a straight knee is noise: what it has to bend more, it
 * bends to the front, and its offset to the side stays as small as it is. A knee that bends to the back is brought to the front, all the more the longer
 * its foot has been moved.
 */
function bendKnee(activity: Float64Array, k: number): void {
  const upper = lengths[0];
  const length = lengths[1];
  const fx = forward[0];
  const fy = forward[1];
  const fz = forward[2];
  let x = bend[0];
  let y = bend[1];
  let z = bend[2];
  const former = Math.sqrt(x * x + y * y + z * z);
  if (former < NO_OFFSET * upper) {
    bend[0] = length * fx;
    bend[1] = length * fy;
    bend[2] = length * fz;
    return;
  }
  const offset = (x * fx + y * fy + z * fz) / upper;
  if (offset >= BENT_OFFSET) {
    const factor = length / former;
    bend[0] = x * factor;
    bend[1] = y * factor;
    bend[2] = z * factor;
    return;
  }
  const t = Math.max(0, (offset - STRAIGHT_OFFSET) / (BENT_OFFSET - STRAIGHT_OFFSET));
  const trusted = t * t * (3 - 2 * t);
  const kept = Math.min(1, length / former);
  const front = kept * upper * offset;
  const squared = kept * kept * former * former - front * front;
  const ahead = Math.sqrt(Math.max(front * front, length * length - squared));
  const toFront = front >= 0 ? 1 : Math.max(activity[k], ahead > 0 ? 1 + front / ahead : 1);
  const moved = ahead > 0 ? (2 * toFront - 1) * ahead - front : 0;
  const toX = kept * x + moved * fx;
  const toY = kept * y + moved * fy;
  const toZ = kept * z + moved * fz;
  const toFactor = (1 - trusted) / (Math.sqrt(toX * toX + toY * toY + toZ * toZ) || 1);
  const fromFactor = trusted / former;
  x = x * fromFactor + toX * toFactor;
  y = y * fromFactor + toY * toFactor;
  z = z * fromFactor + toZ * toFactor;
  const factor = length / (Math.sqrt(x * x + y * y + z * z) || 1);
  bend[0] = x * factor;
  bend[1] = y * factor;
  bend[2] = z * factor;
}

/** Sets `forward`: perpendicular to the axis of the leg and to that of the knee, unit. */
function findForward(hinge: Float64Array): void {
  const x = axis[1] * hinge[2] - axis[2] * hinge[1];
  const y = axis[2] * hinge[0] - axis[0] * hinge[2];
  const z = axis[0] * hinge[1] - axis[1] * hinge[0];
  const squared = x * x + y * y + z * z;
  const factor = squared > 0 ? 1 / Math.sqrt(squared) : 0;
  forward[0] = x * factor;
  forward[1] = y * factor;
  forward[2] = z * factor;
}

function rotateByArc(v: Float64Array): void {
  const qx = arc[0];
  const qy = arc[1];
  const qz = arc[2];
  const qw = arc[3];
  const x = v[0];
  const y = v[1];
  const z = v[2];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  v[0] = x + qw * tx + qy * tz - qz * ty;
  v[1] = y + qw * ty + qz * tx - qx * tz;
  v[2] = z + qw * tz + qx * ty - qy * tx;
}

/** Writes the rotation by `arc` followed by the shortest rotation from `bone` to `wanted`, which are about equally long. */
function writeRotation(out: Float64Array, o: number): void {
  const bx = bone[0];
  const by = bone[1];
  const bz = bone[2];
  const wx = wanted[0];
  const wy = wanted[1];
  const wz = wanted[2];
  const product = Math.sqrt((bx * bx + by * by + bz * bz) * (wx * wx + wy * wy + wz * wz));
  const real = product + bx * wx + by * wy + bz * wz;
  if (real > 0.5 * product) {
    // As quat.fromTo does it, for angles below 120°.
    const factor = 1 / Math.sqrt(2 * product * real);
    shortest[0] = (by * wz - bz * wy) * factor;
    shortest[1] = (bz * wx - bx * wz) * factor;
    shortest[2] = (bx * wy - by * wx) * factor;
    shortest[3] = real * factor;
  } else quat.fromTo(shortest, 0, bone, 0, wanted, 0);
  const x = shortest[0];
  const y = shortest[1];
  const z = shortest[2];
  const w = shortest[3];
  const ax = arc[0];
  const ay = arc[1];
  const az = arc[2];
  const aw = arc[3];
  out[o] = w * ax + x * aw + y * az - z * ay;
  out[o + 1] = w * ay - x * az + y * aw + z * ax;
  out[o + 2] = w * az + x * ay - y * ax + z * aw;
  out[o + 3] = w * aw - x * ax - y * ay - z * az;
}

/** Sets `arc`: the shortest rotation from `axis` to `direction`, both of length 1. */
function findArc(): void {
  const ax = axis[0];
  const ay = axis[1];
  const az = axis[2];
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  const real = 1 + ax * dx + ay * dy + az * dz;
  if (!(real > 0.5)) {
    quat.fromTo(arc, 0, axis, 0, direction, 0);
    return;
  }
  const factor = 1 / Math.sqrt(2 * real);
  arc[0] = (ay * dz - az * dy) * factor;
  arc[1] = (az * dx - ax * dz) * factor;
  arc[2] = (ax * dy - ay * dx) * factor;
  arc[3] = real * factor;
}

/**
 * Rotates thigh and shin so that the ankle reaches a position. All vectors are in one frame. Does not allocate. `out` receives the rotations of
 * thigh and shin, applied to their pose in world space: xyzw at 0 and 4. `hinge`: axis of the knee, to the left of the character, unit.
 */
export function solveLeg(
  out: Float64Array,
  joints: Float64Array,
  ankle: Float64Array,
  hinge: Float64Array,
  activity: Float64Array,
  k: number,
): void {
  const tx = joints[3] - joints[0];
  const ty = joints[4] - joints[1];
  const tz = joints[5] - joints[2];
  const sx = joints[6] - joints[3];
  const sy = joints[7] - joints[4];
  const sz = joints[8] - joints[5];
  let ax = tx + sx;
  let ay = ty + sy;
  let az = tz + sz;
  let dx = ankle[0] - joints[0];
  let dy = ankle[1] - joints[1];
  let dz = ankle[2] - joints[2];
  const upper = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const lower = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const before = Math.sqrt(ax * ax + ay * ay + az * az);
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(upper > 0 && lower > 0 && before > 0 && distance > 0)) {
    quat.identity(out, 0);
    quat.identity(out, 4);
    return;
  }
  ax /= before;
  ay /= before;
  az /= before;
  dx /= distance;
  dy /= distance;
  dz /= distance;
  const total = upper + lower;
  const reach = Math.min(Math.max(distance, Math.abs(upper - lower)), Math.max(before, total * (1 - 1e-9)), total);
  axis[0] = ax;
  axis[1] = ay;
  axis[2] = az;
  direction[0] = dx;
  direction[1] = dy;
  direction[2] = dz;
  findArc();
  const cosine = Math.min(1, Math.max(-1, (upper * upper + reach * reach - lower * lower) / (2 * upper * reach)));
  lengths[0] = upper;
  lengths[1] = upper * Math.sqrt((1 - cosine) * (1 + cosine));
  // The knee: its offset from the axis is carried along by the shortest arc and gets longer or shorter.
  const along = tx * ax + ty * ay + tz * az;
  bend[0] = tx - along * ax;
  bend[1] = ty - along * ay;
  bend[2] = tz - along * az;
  findForward(hinge);
  bendKnee(activity, k);
  rotateByArc(bend);
  const kx = upper * cosine * dx + bend[0];
  const ky = upper * cosine * dy + bend[1];
  const kz = upper * cosine * dz + bend[2];
  bone[0] = tx;
  bone[1] = ty;
  bone[2] = tz;
  rotateByArc(bone);
  wanted[0] = kx;
  wanted[1] = ky;
  wanted[2] = kz;
  writeRotation(out, 0);
  bone[0] = before * dx - bone[0];
  bone[1] = before * dy - bone[1];
  bone[2] = before * dz - bone[2];
  wanted[0] = reach * dx - kx;
  wanted[1] = reach * dy - ky;
  wanted[2] = reach * dz - kz;
  writeRotation(out, 4);
}
