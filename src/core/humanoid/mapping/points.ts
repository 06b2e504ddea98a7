/** Points and directions as triples, for deciding; the buffers of poses are read, never written. */
import type { Floats } from '../../math/floats.ts';

export type Vec = readonly [number, number, number];

export const plus = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec, factor: number): Vec => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec): number => Math.sqrt(dot(a, a));
export const distance = (a: Vec, b: Vec): number => norm(minus(a, b));
export const middle = (a: Vec, b: Vec): Vec => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A direction of length 1; zero stays zero. */
export function unit(a: Vec): Vec {
  const length = norm(a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 0];
}

/** What of `a` is across the unit direction `axis`. */
export function across(a: Vec, axis: Vec): Vec {
  return minus(a, times(axis, dot(a, axis)));
}

/** Cosine of the angle between two directions; 0 when one has no length. */
export function cosine(a: Vec, b: Vec): number {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

/** The position of a node in a buffer of three floats a node. */
export function pointOf(positions: Floats, node: number): Vec {
  return [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]];
}

/** How far `p` is from the segment from `a` to `b`. */
export function offSegment(p: Vec, a: Vec, b: Vec): number {
  const along = minus(b, a);
  const length = dot(along, along);
  const t = length > 0 ? Math.min(1, Math.max(0, dot(minus(p, a), along) / length)) : 0;
  return distance(p, plus(a, times(along, t)));
}

/** 1 at 0, 0.6 at one `width`, next to nothing at three: how well a number fits what was expected. */
export function fits(off: number, width: number): number {
  return Math.exp(-0.5 * (off / width) ** 2);
}

/** A number held to 0…1. */
export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}
