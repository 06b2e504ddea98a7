/**
 * Skinning and morphing in the most obvious form: one vertex and one influence at a time, small arrays, no code shared with src.
 * Matrices are 4×4, column-major; quaternions xyzw.
 */
import { minus, plus, product, type Quaternion, rotated, times, unit, type Vector } from './plain.ts';

/** A joint of a vertex and its weight. */
export type Influence = readonly [joint: number, weight: number];
export type Matrix = readonly number[];

export function moved(m: Matrix, [x, y, z]: Vector): Vector {
  return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
}

export function rotatedBy(m: Matrix, [x, y, z]: Vector): Vector {
  return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z);
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function normalized(v: Vector): Vector {
  const length = Math.hypot(...v);
  return length > 0 ? times(v, 1 / length) : v;
}

/** Transforms a normal n: the normal of the plane of two transformed directions perpendicular to n. */
export function transformedNormal(m: Matrix, n: Vector): Vector {
  const aside: Vector = Math.abs(n[0]) < Math.abs(n[1]) ? [1, 0, 0] : [0, 1, 0];
  const u = normalized(cross(n, aside));
  const v = cross(n, u);
  const normal = cross(rotatedBy(m, u), rotatedBy(m, v));
  // n = u × v up to length; the inverse transpose divides by the determinant.
  const x = m.slice(0, 3);
  const determinant = dot(x, cross(m.slice(4, 7), m.slice(8, 11)));
  return times(normal, dot(n, cross(u, v)) / dot(cross(u, v), cross(u, v)) / determinant);
}

/** Returns Σ weight · moved(matrix of the joint, point). */
export function linearPoint(matrices: readonly Matrix[], influences: readonly Influence[], point: Vector): Vector {
  let sum: Vector = [0, 0, 0];
  for (const [joint, weight] of influences) sum = plus(sum, times(moved(matrices[joint], point), weight));
  return sum;
}

export function linearNormal(matrices: readonly Matrix[], influences: readonly Influence[], normal: Vector): Vector {
  let sum: Vector = [0, 0, 0];
  for (const [joint, weight] of influences) sum = plus(sum, times(transformedNormal(matrices[joint], normal), weight));
  return normalized(sum);
}

export function linearTangent(matrices: readonly Matrix[], influences: readonly Influence[], tangent: Vector): Vector {
  let sum: Vector = [0, 0, 0];
  for (const [joint, weight] of influences) sum = plus(sum, times(rotatedBy(matrices[joint], tangent), weight));
  return normalized(sum);
}

/** The transform of a joint: a symmetric stretch matrix, then a rotation, then a translation. */
export interface RigidJoint {
  readonly rotation: Quaternion;
  readonly translation: Vector;
  /** A symmetric 3×3 matrix as 4×4. */
  readonly stretch: Matrix;
}

export function matrixOf({ rotation, translation, stretch }: RigidJoint): Matrix {
  const columns = [0, 4, 8].flatMap((c) => [...rotated(rotation, stretch.slice(c, c + 3)), 0]);
  return [...columns, ...translation, 1];
}

/**
 * Implements algorithm 1 of Kavan et al., Geometric Skinning with Approximate Dual Quaternion Blending (2008), after a linear blend of the
 * stretches (section 5.1, in two phases).
 */
function blendedDual(joints: readonly RigidJoint[], influences: readonly Influence[]): [Quaternion, Quaternion] {
  let heaviest = influences[0];
  for (const influence of influences) {
    const isHeavier = influence[1] > heaviest[1] || (influence[1] === heaviest[1] && influence[0] < heaviest[0]);
    if (isHeavier) heaviest = influence;
  }
  const pivot = joints[heaviest[0]].rotation;
  const real = [0, 0, 0, 0];
  const dual = [0, 0, 0, 0];
  for (const [joint, weight] of influences) {
    const { rotation, translation } = joints[joint];
    const half = product([translation[0] / 2, translation[1] / 2, translation[2] / 2, 0], rotation);
    let along = 0;
    for (let c = 0; c < 4; c++) along += rotation[c] * pivot[c];
    for (let c = 0; c < 4; c++) {
      real[c] += (along < 0 ? -weight : weight) * rotation[c];
      dual[c] += (along < 0 ? -weight : weight) * half[c];
    }
  }
  const length = Math.hypot(...real);
  return [unit(real), dual.map((x) => x / length)];
}

export function dualQuaternionPoint(
  joints: readonly RigidJoint[],
  influences: readonly Influence[],
  point: Vector,
): Vector {
  const stretches = joints.map(({ stretch }) => stretch);
  const v = linearPoint(stretches, influences, point);
  const [c0, ce] = blendedDual(joints, influences);
  const d0 = c0.slice(0, 3);
  const de = ce.slice(0, 3);
  const a0 = c0[3];
  const ae = ce[3];
  const swung = plus(v, times(cross(d0, plus(cross(d0, v), times(v, a0))), 2));
  const pushed = times(plus(minus(times(de, a0), times(d0, ae)), cross(d0, de)), 2);
  return plus(swung, pushed);
}

export function dualQuaternionNormal(
  joints: readonly RigidJoint[],
  influences: readonly Influence[],
  normal: Vector,
): Vector {
  const stretches = joints.map(({ stretch }) => stretch);
  let stretched: Vector = [0, 0, 0];
  for (const [joint, weight] of influences) {
    stretched = plus(stretched, times(transformedNormal(stretches[joint], normal), weight));
  }
  return normalized(rotated(blendedDual(joints, influences)[0], stretched));
}

/** A blend shape: offsets by vertex. */
export type Offsets = ReadonlyMap<number, Vector>;

/** Returns base + Σ weight · offset of one vertex. */
export function morphed(base: Vector, vertex: number, shapes: readonly Offsets[], weights: readonly number[]): Vector {
  let sum = base;
  shapes.forEach((offsets, shape) => {
    const offset = offsets.get(vertex);
    if (offset !== undefined) sum = plus(sum, times(offset, weights[shape]));
  });
  return sum;
}
