/**
 * Rotations and poses the slow, obvious way: small arrays, one step a line, no code shared with src. The laws are judged by this.
 * Quaternions xyzw, in a product the right factor turns first; poses have 10 floats a node (translation, rotation, scale).
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

/** The product of rotations; the last one turns first. */
export function product(first: Quaternion, ...rest: readonly Quaternion[]): Quaternion {
  let all = first;
  for (const next of rest) all = product2(all, next);
  return all;
}

/** The rotation back. */
export function inverse(q: Quaternion): Quaternion {
  return [-q[0], -q[1], -q[2], q[3]];
}

export function unit(q: Quaternion): Quaternion {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/** v turned by q: the vector part of q · v · q⁻¹. */
export function turned(q: Quaternion, v: Vector): Vector {
  const [x, y, z] = product2(product2(q, [v[0], v[1], v[2], 0]), inverse(q));
  return [x, y, z];
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

/** Angle between two rotations, radians, by the chord: acos would lose half the digits near 0. */
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

/** `count` floats of a buffer. */
export function read(values: ArrayLike<number>, at: number, count: number): number[] {
  const out = new Array<number>(count);
  for (let c = 0; c < count; c++) out[c] = values[at + c];
  return out;
}

export const translationOf = (local: ArrayLike<number>, node: number): Vector => read(local, 10 * node, 3);
export const rotationOf = (local: ArrayLike<number>, node: number): Quaternion => read(local, 10 * node + 3, 4);
export const scaleOf = (local: ArrayLike<number>, node: number): Vector => read(local, 10 * node + 7, 3);

/** Rotation and position of every node in the world of its file. */
export interface WorldPose {
  readonly rotations: readonly Quaternion[];
  readonly positions: readonly Vector[];
}

/** Forward kinematics. Rotations are products of the local rotations, whatever the scales; positions follow scales too. */
export function worldPose(parents: Int32Array, local: ArrayLike<number>): WorldPose {
  const rotations: Quaternion[] = [];
  const positions: Vector[] = [];
  /** Where each node takes the unit vectors of its own space: rotation and scale of all nodes above. */
  const axes: Vector[][] = [];
  const along = (columns: readonly Vector[], v: Vector): Vector =>
    plus(plus(times(columns[0], v[0]), times(columns[1], v[1])), times(columns[2], v[2]));
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const rotation = unit(rotationOf(local, node));
    const scale = scaleOf(local, node);
    const own = [
      times(turned(rotation, [1, 0, 0]), scale[0]),
      times(turned(rotation, [0, 1, 0]), scale[1]),
      times(turned(rotation, [0, 0, 1]), scale[2]),
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
