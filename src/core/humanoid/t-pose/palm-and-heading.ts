/**
 * Measures where palms and feet point, from joint positions: the rotations that the directions of limbs do not show. In
 * the T-pose of EXT_skeleton_humanoid palms face the ground, so that knuckles line up along Z, and feet point to the
 * front.
 */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, FINGERS, SIDES } from '../bones.ts';

/** Degrees by side, for the sides that have joints to measure. */
export type SideAngles = Readonly<Partial<Record<'left' | 'right', number>>>;

const UP = [0, 1, 0] as const;
const FRONT = [0, 0, 1] as const;

/** A vector shows a direction about an axis when at least this fraction of it is perpendicular to the axis. For knuckles. */
const BESIDE = 0.1;
/** The same for feet: a toe joint nearly below the ankle, or a tip along the shin, shows no heading. */
const AHEAD = 0.2;

/** Removes the part of `v` along the unit vector `axis` at `a` and normalizes it. False when less than `least` of it remains. */
function makePerpendicular(v: Float64Array, axis: ArrayLike<number>, a: number, least: number): boolean {
  const length = vec3.length(v, 0);
  vec3.addScaled(v, 0, v, 0, axis, a, -vec3.dot(v, 0, axis, a));
  const left = vec3.length(v, 0);
  vec3.normalize(v, 0, v, 0);
  return left > least * length;
}

const axis = new Float64Array(3);

/**
 * Computes the direction across a palm: from the knuckle of the little finger to that of the index finger, perpendicular to the line from wrist to
 * middle knuckle. +Z in a T-pose on both sides. `out` receives the unit direction xyz; undefined when the result is false.
 */
export function palmDirection(out: Float64Array, points: Floats, nodes: Int32Array, side: 'left' | 'right'): boolean {
  const hand = BONE[`${side}Hand`];
  const middle = BONE[`${side}MiddleProximal`];
  const knuckles = FINGERS.map((finger) => BONE[`${side}${finger}Proximal`]).filter((bone) => nodes[bone] >= 0);
  if (nodes[hand] < 0 || nodes[middle] < 0 || knuckles.length < 2) return false;
  vec3.subtract(axis, 0, points, 3 * middle, points, 3 * hand);
  if (!(vec3.length(axis, 0) > 0)) return false;
  vec3.normalize(axis, 0, axis, 0);
  vec3.subtract(out, 0, points, 3 * knuckles[0], points, 3 * knuckles[knuckles.length - 1]);
  return makePerpendicular(out, axis, 0, BESIDE);
}

/**
 * Computes the direction in which a foot points: from ankle to toes, perpendicular to the up axis of the foot, so that soles of different thickness
 * point the same way. +Z in a T-pose. `out` receives the unit direction xyz; undefined when the result is false. `ups`: array that holds the up
 * axis of the foot, unit vector xyz.
 */
export function footHeading(
  out: Float64Array,
  points: Floats,
  nodes: Int32Array,
  side: 'left' | 'right',
  ups: ArrayLike<number>,
  u: number,
): boolean {
  const foot = BONE[`${side}Foot`];
  const toes = BONE[`${side}Toes`];
  if (nodes[foot] < 0 || nodes[toes] < 0) return false;
  vec3.subtract(out, 0, points, 3 * toes, points, 3 * foot);
  return makePerpendicular(out, ups, u, AHEAD);
}

function degreesOff(direction: (out: Float64Array, side: 'left' | 'right') => boolean): SideAngles {
  const out = new Float64Array(3);
  const off: Partial<Record<'left' | 'right', number>> = {};
  for (const side of SIDES) {
    if (direction(out, side)) off[side] = (vec3.angleBetween(out, 0, FRONT, 0) * 180) / Math.PI;
  }
  return off;
}

/** Measures the angles between the palms of a reference pose and those of a T-pose. `positions`: position per bone, xyz, canonical frame. */
export function palmDeviation(positions: Floats, nodes: Int32Array): SideAngles {
  return degreesOff((out, side) => palmDirection(out, positions, nodes, side));
}

/**
 * Measures the angles between the headings of the feet of a reference pose and those of a T-pose. `positions`: position per bone, xyz, canonical
 * frame.
 */
export function headingDeviation(positions: Floats, nodes: Int32Array): SideAngles {
  return degreesOff((out, side) => footHeading(out, positions, nodes, side, UP, 0));
}
