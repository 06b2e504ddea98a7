/**
 * Where palms and feet point, by the places of joints: what the directions of limbs leave open. In the T-pose of EXT_skeleton_humanoid
 * palms face the ground, so that knuckles stand behind each other along Z, and feet point to the front.
 */
import type { Floats } from '../../math/floats.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE } from '../bones.ts';

/** A number for each side of the body that has it. */
export type Sides = Readonly<Partial<Record<'left' | 'right', number>>>;

const SIDES = ['left', 'right'] as const;
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
const UP = [0, 1, 0] as const;
const FRONT = [0, 0, 1] as const;

/** Part of a segment that must be square to an axis, so that its direction about it is certain: knuckles lie beside each other. */
const BESIDE = 0.1;
/** The same of a foot: a toe joint nearly below the ankle, or a tip along the shin, tells no heading. */
const AHEAD = 0.2;

/** Takes out of `v` what lies along the unit vector `axis` at `a`. False when less than `least` of it is left. */
function makeSquare(v: Float64Array, axis: ArrayLike<number>, a: number, least: number): boolean {
  const length = vec3.length(v, 0);
  vec3.addScaled(v, 0, v, 0, axis, a, -vec3.dot(v, 0, axis, a));
  const left = vec3.length(v, 0);
  vec3.normalize(v, 0, v, 0);
  return left > least * length;
}

const axis = new Float64Array(3);

/**
 * The direction across a palm: from the outermost knuckle on the side of the little finger to that on the side of the index finger, square
 * to the way from the wrist to the middle knuckle; unit. +Z in a T-pose on both sides. `points`: one a bone. False, and `out` is nothing,
 * where the joints are not there or do not lie beside each other.
 */
export function palmAcross(out: Float64Array, points: Floats, nodes: Int32Array, side: 'left' | 'right'): boolean {
  const hand = BONE[`${side}Hand`];
  const middle = BONE[`${side}MiddleProximal`];
  const knuckles = FINGERS.map((finger) => BONE[`${side}${finger}Proximal`]).filter((bone) => nodes[bone] >= 0);
  if (nodes[hand] < 0 || nodes[middle] < 0 || knuckles.length < 2) return false;
  vec3.subtract(axis, 0, points, 3 * middle, points, 3 * hand);
  if (!(vec3.length(axis, 0) > 0)) return false;
  vec3.normalize(axis, 0, axis, 0);
  vec3.subtract(out, 0, points, 3 * knuckles[0], points, 3 * knuckles[knuckles.length - 1]);
  return makeSquare(out, axis, 0, BESIDE);
}

/**
 * The direction in which a foot points: from the ankle to the toes, square to the up of the foot (unit, at `u` of `ups`), so that soles of
 * different thickness point the same way; unit. +Z in a T-pose. False, and `out` is nothing, where the toes are not there or not ahead.
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
  return makeSquare(out, ups, u, AHEAD);
}

function degreesOff(direction: (out: Float64Array, side: 'left' | 'right') => boolean): Sides {
  const out = new Float64Array(3);
  const off: Partial<Record<'left' | 'right', number>> = {};
  for (const side of SIDES) {
    if (direction(out, side)) off[side] = (vec3.angleBetween(out, 0, FRONT, 0) * 180) / Math.PI;
  }
  return off;
}

/** Degrees that the palms of a reference pose are off those of the T-pose; only sides that have one. `positions`: one a bone, canonical frame. */
export function palmDeviation(positions: Floats, nodes: Int32Array): Sides {
  return degreesOff((out, side) => palmAcross(out, positions, nodes, side));
}

/** The same of the headings of its feet. */
export function headingDeviation(positions: Floats, nodes: Int32Array): Sides {
  return degreesOff((out, side) => footHeading(out, positions, nodes, side, UP, 0));
}
