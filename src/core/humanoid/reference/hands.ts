/** Hands in the T-pose: along the arm, palms to the ground. */
import * as vec3 from '../../math/vec3.ts';
import { palmRoll } from './palms.ts';
import { nextInChain, tChain } from './t-pose.ts';
import {
  across,
  boneOf,
  DOWN,
  find,
  followParent,
  has,
  outward,
  rollBy,
  type Side,
  swing,
  type TurnedBody,
  turnedSegment,
} from './turned-body.ts';

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;

/** First joints of the fingers that are there, from the thumb's side on. */
export function knucklesOf(body: TurnedBody, side: Side): number[] {
  return FINGERS.map((finger) => boneOf(side, `${finger}Proximal`)).filter((bone) => has(body, bone));
}

/**
 * The direction of a hand without a middle finger. A single finger stands for all of them: the way to its knuckle. Of several the
 * first segments, in the plane of the palm so that their curl does not count; the way to their knuckles would not do, those lie
 * beside the axis of the hand. Zero when no finger has a segment: the hand then follows the forearm.
 */
function fingersDirection(body: TurnedBody, hand: number, knuckles: readonly number[]): Float64Array {
  const out = new Float64Array(3);
  if (knuckles.length === 0) return out;
  if (knuckles.length === 1) return turnedSegment(body, hand, knuckles[0], hand);
  const toKnuckles = new Float64Array(3);
  for (const knuckle of knuckles) {
    vec3.add(toKnuckles, 0, toKnuckles, 0, turnedSegment(body, hand, knuckle, hand), 0);
    const next = nextInChain(tChain(knuckle), knuckle, body.nodes, body.points);
    if (next < 0) continue;
    const segment = turnedSegment(body, knuckle, next, hand);
    vec3.normalize(segment, 0, segment, 0);
    vec3.add(out, 0, out, 0, segment, 0);
  }
  const normal = new Float64Array(3);
  const line = turnedSegment(body, knuckles[knuckles.length - 1], knuckles[0], hand);
  vec3.cross(normal, 0, toKnuckles, 0, line, 0);
  vec3.normalize(normal, 0, normal, 0);
  return across(out, normal);
}

/**
 * Lays a hand along X (the way to the knuckle of the middle finger), palm down. A wrist does not roll: what the palm is turned,
 * the forearm turns with it.
 */
export function alignHand(body: TurnedBody, side: Side): void {
  const hand = boneOf(side, 'Hand');
  if (!has(body, hand)) return;
  followParent(body, hand);
  const knuckles = knucklesOf(body, side);
  const middle = boneOf(side, 'MiddleProximal');
  const direction = has(body, middle)
    ? turnedSegment(body, hand, middle, hand)
    : fingersDirection(body, hand, knuckles);
  const axis = outward(side);
  if (vec3.length(direction, 0) > 0) swing(body, hand, direction, axis, DOWN);
  const { roll, confidence, reason } = palmRoll(body, side, knuckles);
  const forearm = boneOf(side, 'LowerArm');
  rollBy(body, hand, axis, roll);
  if (has(body, forearm)) rollBy(body, forearm, axis, roll);
  find(body, `${side}Palm`, confidence, reason);
}
