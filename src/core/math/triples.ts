/** Vectors as immutable triples, for code that analyzes a skeleton once. Per-frame code uses the kernels of `vec3.ts`. */
import type { Vec3 } from './vec3.ts';

export const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, factor: number): Vec3 => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec3): number => Math.sqrt(dot(a, a));
export const distance = (a: Vec3, b: Vec3): number => norm(minus(a, b));
/** Returns the point halfway between two points. */
export const midpoint = (a: Vec3, b: Vec3): Vec3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Normalizes a vector. Returns the unit vector; zero for the zero vector. */
export function unit(a: Vec3): Vec3 {
  const length = norm(a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 0];
}

export function perpendicular(a: Vec3, axis: Vec3): Vec3 {
  return minus(a, times(axis, dot(a, axis)));
}

export function cosine(a: Vec3, b: Vec3): number {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

/** Reads the position of a node. `positions`: positions of all nodes, 3 floats per node. */
export function pointOf(positions: ArrayLike<number>, node: number): Vec3 {
  return [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]];
}

export function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const along = minus(b, a);
  const length = dot(along, along);
  const t = length > 0 ? Math.min(1, Math.max(0, dot(minus(p, a), along) / length)) : 0;
  return distance(p, plus(a, times(along, t)));
}
