import { type SkinPoints, skinPoint } from '../../deform/skin-points.ts';
import { BONE, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as mat4 from '../../math/mat4.ts';
import { MATRIX_STRIDE } from '../../skeleton/skeleton.ts';
import { convexHull } from './convex-hull.ts';

/** What a foot, or a hand with the palm down, stands with, in the reference pose. */
export interface Footing {
  /** Point on the ground below ankle or wrist, in the space of the node of foot or hand, xyz. */
  readonly heel: Float64Array;
  /** Toe joint or knuckle of the middle finger, or the corresponding point of a foot without toes, or a hand without fingers, in the same space, xyz. */
  readonly ball: Float64Array;
  /** Points of `ContactSurface.points` that belong to foot or hand: from this one … */
  readonly from: number;
  /** … to before this one. */
  readonly to: number;
  /** Height of the ball above the lowest point of foot or hand, meters. */
  readonly ballHeight: number;
}

/** The sole of a foot in the reference pose. */
export interface Sole extends Footing {
  /** Outline on the ground, canonical frame, meters: x and z per corner, convex, counter-clockwise seen from above. */
  readonly outline: Float64Array;
  /** Height of the ankle above the lowest point of the foot, meters. */
  readonly ankleHeight: number;
}

/** Height of the points that form the sole, relative to the height of the ankle. */
const SOLE_THICKNESS = 0.3;
/** Height of a ball without a toe joint, relative to the same. */
const BALL_HEIGHT = 0.3;
/** Distance of the ball of a foot from the ankle, relative to the distance of the tip of the toes. */
const BALL_DISTANCE = 0.65;

/** Distance of a corner from the ankle, relative to that of the furthest one, from which on it is part of the tip. */
const TIP = 0.85;

/** Finds the tip of a foot: the middle of the corners of its sole that are furthest from the ankle, x and z. */
function findTip(corners: readonly (readonly [number, number])[], x: number, z: number): readonly [number, number] {
  const far = corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - z));
  const furthest = far.reduce((most, distance) => Math.max(most, distance), 0);
  if (furthest === 0) return [x, z];
  const tips = corners.filter((_, k) => far[k] >= TIP * furthest);
  const mean = (c: 0 | 1): number => tips.reduce((sum, tip) => sum + tip[c], 0) / tips.length;
  return [mean(0), mean(1)];
}

/**
 * Finds the sole of a foot in the reference pose. `floor`: height of the ground, canonical frame, meters. `matrices`: matrices of all nodes in the
 * reference pose, canonical frame. Returns the sole; null where the leg is incomplete.
 */
export function findSole(
  { map, reference }: Humanoid,
  side: Side,
  floor: number,
  matrices: Float64Array,
  points: SkinPoints,
  range: readonly [number, number],
): Sole | null {
  const [foot, toes] = [BONE[`${side}Foot`], BONE[`${side}Toes`]];
  const legs = [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], foot];
  if (legs.some((bone) => map.nodes[bone] < 0)) return null;
  const { positions } = reference;
  const posed = new Float64Array(3 * (range[1] - range[0]));
  let low = floor;
  for (let p = range[0]; p < range[1]; p++) {
    skinPoint(posed, 3 * (p - range[0]), points, p, matrices);
    const height = posed[3 * (p - range[0]) + 1] - points.radii[p];
    low = p === range[0] ? height : Math.min(low, height);
  }
  const ankle = positions.subarray(3 * foot, 3 * foot + 3);
  const thickness = ankle[1] - low;
  const corners: (readonly [number, number])[] = [];
  for (let at = 0; at < posed.length; at += 3) {
    if (posed[at + 1] <= low + SOLE_THICKNESS * thickness) corners.push([posed[at], posed[at + 2]]);
  }
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * map.nodes[foot]);
  const heel = Float64Array.of(ankle[0], low, ankle[2]);
  const [tipX, tipZ] = findTip(corners, ankle[0], ankle[2]);
  const ball =
    map.nodes[toes] >= 0
      ? positions.slice(3 * toes, 3 * toes + 3)
      : Float64Array.of(
          ankle[0] + BALL_DISTANCE * (tipX - ankle[0]),
          low + BALL_HEIGHT * thickness,
          ankle[2] + BALL_DISTANCE * (tipZ - ankle[2]),
        );
  const ballHeight = ball[1] - low;
  mat4.transformPoint(heel, 0, inverse, 0, heel, 0);
  mat4.transformPoint(ball, 0, inverse, 0, ball, 0);
  const outline = Float64Array.from(convexHull(corners));
  return { heel, ball, from: range[0], to: range[1], outline, ankleHeight: thickness, ballHeight };
}

/**
 * Distance of the knuckles from the wrist, relative to that of the furthest point of the hand, where it has no fingers: the median of 38 hands with fingers of the asset folder, which are
 * between 0.39 and 0.67.
 */
const KNUCKLES = 0.5;

/**
 * Finds what a hand rests on in the reference pose, its palm down. `matrices`: matrices of all nodes in the reference pose, canonical frame.
 * Returns the palm; null where the arm is incomplete.
 */
export function findPalm(
  { map, reference }: Humanoid,
  side: Side,
  matrices: Float64Array,
  points: SkinPoints,
  range: readonly [number, number],
): Footing | null {
  const [hand, knuckle] = [BONE[`${side}Hand`], BONE[`${side}MiddleProximal`]];
  const arm = [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], hand];
  if (arm.some((bone) => map.nodes[bone] < 0)) return null;
  const { positions } = reference;
  const wrist = positions.subarray(3 * hand, 3 * hand + 3);
  const posed = new Float64Array(3);
  let low = Number.POSITIVE_INFINITY;
  let tip = 0;
  for (let p = range[0]; p < range[1]; p++) {
    skinPoint(posed, 0, points, p, matrices);
    low = Math.min(low, posed[1] - points.radii[p]);
    if (Math.abs(posed[0] - wrist[0]) > Math.abs(tip)) tip = posed[0] - wrist[0];
  }
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * map.nodes[hand]);
  const heel = Float64Array.of(wrist[0], low, wrist[2]);
  const ball =
    map.nodes[knuckle] >= 0
      ? positions.slice(3 * knuckle, 3 * knuckle + 3)
      : Float64Array.of(wrist[0] + KNUCKLES * tip, wrist[1], wrist[2]);
  const ballHeight = ball[1] - low;
  mat4.transformPoint(heel, 0, inverse, 0, heel, 0);
  mat4.transformPoint(ball, 0, inverse, 0, ball, 0);
  return { heel, ball, from: range[0], to: range[1], ballHeight };
}
