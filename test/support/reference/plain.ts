/**
 * Rotations and poses in the most obvious form: small arrays, one step per line, no code shared with src. The laws are tested against this.
 * Quaternions are xyzw; in a product the right factor rotates first; poses have 10 floats per node (translation, rotation, scale).
 */
export type Vector = readonly number[];
export type Quaternion = readonly number[];

export const IDENTITY: Quaternion = [0, 0, 0, 1];

function product2(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Returns the product of rotations; the last one rotates first. */
export function product(first: Quaternion, ...rest: readonly Quaternion[]): Quaternion {
  let all = first;
  for (const next of rest) all = product2(all, next);
  return all;
}

/** Returns the inverse of a unit quaternion. */
export function inverse(q: Quaternion): Quaternion {
  return [-q[0], -q[1], -q[2], q[3]];
}

export function unit(q: Quaternion): Quaternion {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** Returns v rotated by q, the vector part of q · v · q⁻¹: v + w · t + u × t with t = 2 u × v and u the vector part of q. */
export function rotated(q: Quaternion, v: Vector): Vector {
  const tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  const ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  const tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  return [
    v[0] + q[3] * tx + q[1] * tz - q[2] * ty,
    v[1] + q[3] * ty + q[2] * tx - q[0] * tz,
    v[2] + q[3] * tz + q[0] * ty - q[1] * tx,
  ];
}

export function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function times(v: Vector, factor: number): Vector {
  return [v[0] * factor, v[1] * factor, v[2] * factor];
}

export function aboutAxis(axis: Vector, angle: number): Quaternion {
  const s = Math.sin(angle / 2) / Math.hypot(axis[0], axis[1], axis[2]);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** Returns the angle between two rotations, radians, by the chord: acos would lose half of the digits near 0. */
export function angle(a: Quaternion, b: Quaternion): number {
  const p = unit(a);
  const q = unit(b);
  const apart = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2], p[3] - q[3]);
  const across = Math.hypot(p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3]);
  return 4 * Math.asin(Math.min(1, Math.min(apart, across) / 2));
}

export function apart(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns `count` floats of a buffer. */
export function read(values: ArrayLike<number>, at: number, count: number): number[] {
  const out = new Array<number>(count);
  for (let c = 0; c < count; c++) out[c] = values[at + c];
  return out;
}

export const translationOf = (local: ArrayLike<number>, node: number): Vector => read(local, 10 * node, 3);
export const rotationOf = (local: ArrayLike<number>, node: number): Quaternion => read(local, 10 * node + 3, 4);
export const scaleOf = (local: ArrayLike<number>, node: number): Vector => read(local, 10 * node + 7, 3);

/** Rotation and position of every node in model space. */
export interface WorldPose {
  readonly rotations: readonly Quaternion[];
  readonly positions: readonly Vector[];
}

/** Computes forward kinematics. Rotations are products of the local rotations; positions are also scaled. */
export function worldPose(parents: Int32Array, local: ArrayLike<number>): WorldPose {
  const rotations: Quaternion[] = [];
  const positions: Vector[] = [];
  /** The unit vectors of the space of each node, in model space: rotations and scales of all nodes above. */
  const axes: Vector[][] = [];
  const along = (columns: readonly Vector[], v: Vector): Vector =>
    plus(plus(times(columns[0], v[0]), times(columns[1], v[1])), times(columns[2], v[2]));
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const rotation = unit(rotationOf(local, node));
    const scale = scaleOf(local, node);
    const own = [
      times(rotated(rotation, [1, 0, 0]), scale[0]),
      times(rotated(rotation, [0, 1, 0]), scale[1]),
      times(rotated(rotation, [0, 0, 1]), scale[2]),
    ];
    if (parent < 0) {
      rotations.push(rotation);
      positions.push(translationOf(local, node));
      axes.push(own);
      continue;
    }
    rotations.push(product(rotations[parent], rotation));
    positions.push(plus(positions[parent], along(axes[parent], translationOf(local, node))));
    axes.push(own.map((axis) => along(axes[parent], axis)));
  }
  return { rotations, positions };
}

/** Returns the position of one node in model space: its translation through all nodes above it. */
export function worldPosition(parents: Int32Array, local: ArrayLike<number>, node: number): Vector {
  let point = translationOf(local, node);
  for (let above = parents[node]; above >= 0; above = parents[above]) {
    const [x, y, z] = scaleOf(local, above);
    const scaled = [x * point[0], y * point[1], z * point[2]];
    point = plus(translationOf(local, above), rotated(unit(rotationOf(local, above)), scaled));
  }
  return point;
}
