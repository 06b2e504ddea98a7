/** What shows which way a palm faces: knuckles, the thumb, the flatness of the hand, a bent elbow. */
import * as vec3 from '../../math/vec3.ts';
import { nodesBelow, posedPoints } from './bound-points.ts';
import {
  across,
  boneOf,
  DEGREES,
  degrees,
  FRONT,
  has,
  outward,
  rollTo,
  type Side,
  type TurnedBody,
  tipDirection,
  turnedSegment,
} from './turned-body.ts';

/** By how much a hand that lies along the arm must be rolled for its palm to face the ground, radians, and how sure that is. */
export interface PalmSign {
  readonly roll: number;
  readonly confidence: number;
  readonly reason: string;
}

/** Knuckles nearer to each other than this part of the hand (wrist to knuckle) are hardly a line. */
const NARROW = 0.1;
/** The knuckles in between are this far off the line of the outer ones at most, as an angle, when the line is sound. */
const CROOKED = 20 / DEGREES;
/** The base of a thumb lies below the plane of the palm by this, radians; in real rigs by 5 to 50 degrees. */
const THUMB_BELOW = 20 / DEGREES;
/** A thumb that is no further than this from there leaves the roll of the hand as it is. */
const THUMB_SPREAD = 30 / DEGREES;
/** The base of a thumb nearer to the axis of the hand than this part of its distance from the wrist shows nothing. */
const THUMB_ASIDE = 0.2;
/** A hand is flat when it is wider than thick by this factor. */
const FLAT = 1.4;
/** A mesh that asks for less than this leaves the roll of the hand as it is: thumbs make it lopsided. */
const MESH_SPREAD = 10 / DEGREES;
/** Vertices that a hand has at least. */
const FEWEST_VERTICES = 8;
/** An elbow bent by this shows how the arm is rolled, and with it the forearm. */
const ELBOW = 30 / DEGREES;

/**
 * The line from the knuckle on the little finger's side to that on the index finger's, which points to the front. The knuckles in
 * between do not move it, so that palms of all hands are measured alike, but say how sound it is.
 */
function knuckleSign(body: TurnedBody, side: Side, knuckles: readonly number[]): PalmSign | null {
  if (knuckles.length < 2) return null;
  const hand = boneOf(side, 'Hand');
  const axis = outward(side);
  const [first, last] = [knuckles[0], knuckles[knuckles.length - 1]];
  const line = across(turnedSegment(body, last, first, hand), axis);
  const roll = rollTo(axis, line, FRONT);
  const width = vec3.length(line, 0);
  if (roll === null || width < 0.01 * vec3.length(turnedSegment(body, hand, first, hand), 0)) return null;
  const narrow = width < NARROW * vec3.length(turnedSegment(body, hand, first, hand), 0);
  const crooked = knuckles.slice(1, -1).some((knuckle) => {
    const between = across(turnedSegment(body, last, knuckle, hand), axis);
    return vec3.length(between, 0) > NARROW * width && vec3.angleBetween(between, 0, line, 0) > CROOKED;
  });
  const names = knuckles.length === 4 ? 'of all fingers' : `of ${knuckles.length} fingers`;
  if (narrow) return { roll, confidence: 0.5, reason: `knuckles ${names}, which lie close together` };
  if (crooked) return { roll, confidence: 0.7, reason: `knuckles ${names}, which do not lie in a row` };
  return { roll, confidence: 1, reason: `knuckles ${names}` };
}

/** Where the thumb begins or, where that is on the axis of the hand, where it points: forward and a little below the palm. */
function thumbSign(body: TurnedBody, side: Side): PalmSign | null {
  const hand = boneOf(side, 'Hand');
  const thumb = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'].map((part) => boneOf(side, part));
  const present = thumb.filter((bone) => has(body, bone));
  if (present.length === 0) return null;
  const axis = outward(side);
  const base = turnedSegment(body, hand, present[0], hand);
  let aside = across(base, axis);
  if (!(vec3.length(aside, 0) > THUMB_ASIDE * vec3.length(base, 0))) {
    const next =
      present.length > 1 ? turnedSegment(body, present[0], present[1], hand) : tipDirection(body, present[0]);
    if (next === null) return null;
    aside = across(next, axis);
    if (!(vec3.length(aside, 0) > THUMB_ASIDE * vec3.length(next, 0))) return null;
  }
  const usual = [0, -Math.sin(THUMB_BELOW), Math.cos(THUMB_BELOW)];
  const roll = rollTo(axis, aside, usual);
  if (roll === null) return null;
  if (Math.abs(roll) <= THUMB_SPREAD)
    return { roll: 0, confidence: 0.6, reason: 'the thumb is where it is when the palm faces the ground' };
  return { roll, confidence: 0.5, reason: `the thumb alone, which was ${degrees(roll)} from its place` };
}

/** Directions in which the points of a hand, seen along the arm, spread most; null when it is as thick as wide. `points` xyz. */
function widest(points: Float64Array): Float64Array | null {
  const count = points.length / 3;
  if (count < FEWEST_VERTICES) return null;
  let meanY = 0;
  let meanZ = 0;
  for (let o = 0; o < points.length; o += 3) {
    meanY += points[o + 1] / count;
    meanZ += points[o + 2] / count;
  }
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let o = 0; o < points.length; o += 3) {
    const y = points[o + 1] - meanY;
    const z = points[o + 2] - meanZ;
    yy += y * y;
    yz += y * z;
    zz += z * z;
  }
  const spread = Math.hypot(zz - yy, 2 * yz);
  const sum = yy + zz;
  if (!(sum + spread > FLAT * FLAT * (sum - spread))) return null;
  const angle = Math.atan2(2 * yz, zz - yy) / 2;
  return Float64Array.of(0, Math.sin(angle), Math.cos(angle));
}

/** The flat of the hand, fingers included, the thumb not. It cannot tell palm from back: the smaller roll is taken. */
function meshSign(body: TurnedBody, side: Side): PalmSign | null {
  const points = body.vertices();
  if (points === null) return null;
  const hand = boneOf(side, 'Hand');
  const thumbs = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'].map((part) => body.nodes[boneOf(side, part)]);
  const wanted = nodesBelow(body.skeleton, body.nodes[hand], thumbs);
  const turn = body.turns.subarray(4 * hand, 4 * hand + 4);
  const wrist = body.points.subarray(3 * hand, 3 * hand + 3);
  const line = widest(posedPoints(body.skeleton, body.pose, points, wanted, wrist, turn));
  if (line === null) return null;
  let roll = rollTo(outward(side), line, FRONT) ?? 0;
  if (Math.abs(roll) > Math.PI / 2) roll -= Math.sign(roll) * Math.PI;
  if (Math.abs(roll) <= MESH_SPREAD)
    return { roll: 0, confidence: 0.7, reason: 'the hand is flat when the palm faces the ground' };
  return { roll, confidence: 0.6, reason: `the flat of the hand, which was rolled by ${degrees(roll)}` };
}

function bendOfElbow(body: TurnedBody, side: Side): number {
  const [upper, lower, hand] = ['UpperArm', 'LowerArm', 'Hand'].map((part) => boneOf(side, part));
  if (![upper, lower, hand].every((bone) => has(body, bone))) return 0;
  const first = new Float64Array(3);
  const second = new Float64Array(3);
  vec3.subtract(first, 0, body.points, 3 * lower, body.points, 3 * upper);
  vec3.subtract(second, 0, body.points, 3 * hand, body.points, 3 * lower);
  return vec3.angleBetween(first, 0, second, 0);
}

/** The best sign of a palm, for a hand that lies along X already. Without any the hand keeps the roll of the forearm. */
export function palmRoll(body: TurnedBody, side: Side, knuckles: readonly number[]): PalmSign {
  const shown = knuckleSign(body, side, knuckles) ?? thumbSign(body, side) ?? meshSign(body, side);
  if (shown !== null) return shown;
  const elbow = bendOfElbow(body, side);
  if (elbow > ELBOW) {
    return {
      roll: 0,
      confidence: 0.5,
      reason: `no knuckles, no thumb: follows the elbow, which is bent by ${degrees(elbow)}`,
    };
  }
  return {
    roll: 0,
    confidence: 0.3,
    reason: 'no two knuckles and no thumb show where the palm faces; it keeps the roll of the forearm',
  };
}
