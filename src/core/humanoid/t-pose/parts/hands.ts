/** Aligns hands: along the arm, palms to the ground. */
import * as vec3 from '../../../math/vec3.ts';
import { FINGERS, type Side } from '../../bones.ts';
import {
  addFinding,
  boneOf,
  correctedSegment,
  DOWN,
  type EstimatorState,
  followParent,
  hasBone,
  outward,
  perpendicularPart,
  rollBone,
  swingBone,
} from '../estimator-state.ts';
import { findChain, nextInChain } from '../t-pose-chains.ts';
import { findPalmRoll } from './palms.ts';

/** Lists the first joints of the present fingers, from index to little finger. */
export function findKnuckles(state: EstimatorState, side: Side): number[] {
  return FINGERS.map((finger) => boneOf(side, `${finger}Proximal`)).filter((bone) => hasBone(state, bone));
}

/**
 * The direction of a hand without a middle finger. A single finger counts with the line to its knuckle. Of several
 * fingers the first segments count, projected onto the palm so that their curl has no effect; the lines to their
 * knuckles would not do, because they are beside the axis of the hand. Zero when no finger has a segment: the hand then
 * follows the forearm.
 */
function fingersDirection(state: EstimatorState, hand: number, knuckles: readonly number[]): Float64Array {
  const out = new Float64Array(3);
  if (knuckles.length === 0) return out;
  if (knuckles.length === 1) return correctedSegment(state, hand, knuckles[0], hand);
  const toKnuckles = new Float64Array(3);
  for (const knuckle of knuckles) {
    vec3.add(toKnuckles, 0, toKnuckles, 0, correctedSegment(state, hand, knuckle, hand), 0);
    const next = nextInChain(findChain(knuckle), knuckle, state.nodes, state.bonePositions);
    if (next < 0) continue;
    const segment = correctedSegment(state, knuckle, next, hand);
    vec3.normalize(segment, 0, segment, 0);
    vec3.add(out, 0, out, 0, segment, 0);
  }
  const normal = new Float64Array(3);
  const line = correctedSegment(state, knuckles[knuckles.length - 1], knuckles[0], hand);
  vec3.cross(normal, 0, toKnuckles, 0, line, 0);
  vec3.normalize(normal, 0, normal, 0);
  return perpendicularPart(out, normal);
}

/** Points a hand along X: the line to the knuckle of the middle finger. */
export function pointHand(state: EstimatorState, side: Side): void {
  const hand = boneOf(side, 'Hand');
  followParent(state, hand);
  const middle = boneOf(side, 'MiddleProximal');
  const direction = hasBone(state, middle)
    ? correctedSegment(state, hand, middle, hand)
    : fingersDirection(state, hand, findKnuckles(state, side));
  if (vec3.length(direction, 0) > 0) swingBone(state, hand, direction, outward(side), DOWN);
}

/** Rolls a hand along X. A wrist does not roll, so the forearm takes the roll of the palm as well. `roll`: radians about the direction of the arm. */
export function rollHand(state: EstimatorState, side: Side, roll: number): void {
  const axis = outward(side);
  const forearm = boneOf(side, 'LowerArm');
  rollBone(state, boneOf(side, 'Hand'), axis, roll);
  if (hasBone(state, forearm)) rollBone(state, forearm, axis, roll);
}

export function alignHand(state: EstimatorState, side: Side): void {
  if (!hasBone(state, boneOf(side, 'Hand'))) return;
  pointHand(state, side);
  const { roll, confidence, reason } = findPalmRoll(state, side, findKnuckles(state, side));
  rollHand(state, side, roll);
  addFinding(state, `${side}Palm`, confidence, reason);
}
