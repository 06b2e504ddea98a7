/** Finds which way a palm faces: from knuckles, the thumb, the flatness of the hand, or a bent elbow. */
import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as vec3 from '../../../math/vec3.ts';
import type { Side } from '../../bones.ts';
import { markSubtree, poseVertices } from '../bound-vertices.ts';
import {
  boneOf,
  correctedSegment,
  type EstimatorState,
  FRONT,
  formatDegrees,
  hasBone,
  outward,
  perpendicularPart,
  rollAngleTo,
  tipDirection,
} from '../estimator-state.ts';

/** Evidence for the roll of a hand. */
interface PalmCue {
  /** Roll, radians, that makes the palm of a hand along the arm face the ground. */
  readonly roll: number;
  /** 0…1. */
  readonly confidence: number;
  readonly reason: string;
}

/** Knuckles closer than this fraction of the hand (wrist to knuckle) hardly define a line. */
const NARROW = 0.1;
/** Maximum angle, radians, between inner and outer knuckles of a sound line. */
const CROOKED = 20 / DEGREES_PER_RADIAN;
/** Angle of the base of a thumb below the plane of the palm, radians; 5 to 50 degrees in real rigs. */
const THUMB_BELOW = 20 / DEGREES_PER_RADIAN;
/** A thumb within this angle of its usual position, radians, does not change the roll. */
const THUMB_SPREAD = 30 / DEGREES_PER_RADIAN;
/** The base of a thumb shows nothing when its distance from the axis of the hand is below this fraction of its distance from the wrist. */
const THUMB_ASIDE = 0.2;
/** A hand is flat when it is wider than thick by this factor. */
const FLAT = 1.4;
/** A roll from the mesh below this, radians, is ignored: thumbs make the mesh asymmetric. */
const MESH_SPREAD = 10 / DEGREES_PER_RADIAN;
const MIN_VERTICES = 8;
/**
 * Largest length of a hand relative to its arm. Those of the characters of the asset folder are up to 0.38 long, and 0.85 where arms are stubs; the axe of the
 * Lumberjack is 1.52 long.
 */
export const LONG_HAND = 0.45;
/** An elbow bent by this, radians, shows the roll of the arm and the forearm. */
const ELBOW = 30 / DEGREES_PER_RADIAN;

/**
 * The line from the knuckle of the little finger to that of the index finger points to the front. The knuckles between
 * them do not move it, so that all palms are measured alike, but they lower the confidence.
 */
function knuckleCue(state: EstimatorState, side: Side, knuckles: readonly number[]): PalmCue | null {
  if (knuckles.length < 2) return null;
  const hand = boneOf(side, 'Hand');
  const axis = outward(side);
  const [first, last] = [knuckles[0], knuckles[knuckles.length - 1]];
  const line = perpendicularPart(correctedSegment(state, last, first, hand), axis);
  const roll = rollAngleTo(axis, line, FRONT);
  const width = vec3.length(line, 0);
  if (roll === null || width < 0.01 * vec3.length(correctedSegment(state, hand, first, hand), 0)) return null;
  const narrow = width < NARROW * vec3.length(correctedSegment(state, hand, first, hand), 0);
  const crooked = knuckles.slice(1, -1).some((knuckle) => {
    const between = perpendicularPart(correctedSegment(state, last, knuckle, hand), axis);
    return vec3.length(between, 0) > NARROW * width && vec3.angleBetween(between, 0, line, 0) > CROOKED;
  });
  const names = knuckles.length === 4 ? 'of all fingers' : `of ${knuckles.length} fingers`;
  if (narrow) return { roll, confidence: 0.5, reason: `knuckles ${names}, which are close together` };
  if (crooked) return { roll, confidence: 0.7, reason: `knuckles ${names}, which are not in a row` };
  return { roll, confidence: 1, reason: `knuckles ${names}` };
}

/** The base of the thumb or, where that is on the axis of the hand, its direction: forward and a little below the palm. */
function thumbCue(state: EstimatorState, side: Side): PalmCue | null {
  const hand = boneOf(side, 'Hand');
  const thumb = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'].map((part) => boneOf(side, part));
  const present = thumb.filter((bone) => hasBone(state, bone));
  if (present.length === 0) return null;
  const axis = outward(side);
  const base = correctedSegment(state, hand, present[0], hand);
  let aside = perpendicularPart(base, axis);
  if (!(vec3.length(aside, 0) > THUMB_ASIDE * vec3.length(base, 0))) {
    const next =
      present.length > 1 ? correctedSegment(state, present[0], present[1], hand) : tipDirection(state, present[0]);
    if (next === null) return null;
    aside = perpendicularPart(next, axis);
    if (!(vec3.length(aside, 0) > THUMB_ASIDE * vec3.length(next, 0))) return null;
  }
  const usual = [0, -Math.sin(THUMB_BELOW), Math.cos(THUMB_BELOW)];
  const roll = rollAngleTo(axis, aside, usual);
  if (roll === null) return null;
  if (Math.abs(roll) <= THUMB_SPREAD)
    return { roll: 0, confidence: 0.6, reason: 'the thumb shows that the palm faces the ground' };
  return { roll, confidence: 0.5, reason: `the thumb alone, which was ${formatDegrees(roll)} from its usual position` };
}

/** Direction, perpendicular to the arm, in which the points of a hand spread most; null when the hand is as thick as wide. `points` xyz. */
function widest(points: Float64Array): Float64Array | null {
  const count = points.length / 3;
  if (count < MIN_VERTICES) return null;
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

/** Length from shoulder to wrist. */
function armLength({ bonePositions: at, nodes }: EstimatorState, side: Side): number {
  const arm = ['UpperArm', 'LowerArm', 'Hand'].map((part) => boneOf(side, part)).filter((bone) => nodes[bone] >= 0);
  return arm.slice(1).reduce((sum, bone, k) => sum + vec3.distance(at, 3 * arm[k], at, 3 * bone), 0);
}

/**
 * The flat side of the hand with fingers, without thumb and what it holds: nodes that are no bones and reach farther than a hand, or are not of the skin that
 * the hand has. Palm and back look alike, so the smaller roll is taken.
 */
function meshCue(state: EstimatorState, side: Side): PalmCue | null {
  const points = state.vertices();
  if (points === null) return null;
  const hand = boneOf(side, 'Hand');
  const thumbs = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'].map((part) => state.nodes[boneOf(side, part)]);
  const wanted = markSubtree(state.skeleton, state.nodes[hand], thumbs);
  const correction = state.corrections.subarray(4 * hand, 4 * hand + 4);
  const wrist = state.bonePositions.subarray(3 * hand, 3 * hand + 3);
  const below = poseVertices(state.skeleton, state.pose, points, wanted, wrist, correction);
  const nodes = points.nodes.filter((node) => wanted[node] === 1);
  // What a hand holds is below its node as well.
  const longest = LONG_HAND * armLength(state, side);
  const { joints } = state.skeleton;
  const isSkinned = nodes.filter((node) => joints[node] === 1).length >= MIN_VERTICES;
  const isThing = (node: number, k: number): boolean =>
    !state.nodes.includes(node) && ((isSkinned && joints[node] === 0) || vec3.length(below, 3 * k) > longest);
  const held = new Set(nodes.filter(isThing));
  const line = widest(below.filter((_, o) => !held.has(nodes[Math.floor(o / 3)])));
  if (line === null) return null;
  let roll = rollAngleTo(outward(side), line, FRONT) ?? 0;
  if (Math.abs(roll) > Math.PI / 2) roll -= Math.sign(roll) * Math.PI;
  if (Math.abs(roll) <= MESH_SPREAD)
    return { roll: 0, confidence: 0.7, reason: 'the flat side of the hand shows that the palm faces the ground' };
  return { roll, confidence: 0.6, reason: `the flat side of the hand, which was rolled by ${formatDegrees(roll)}` };
}

/** Bend of the elbow in the pose, radians; 0 with a bone missing. */
function bendOfElbow(state: EstimatorState, side: Side): number {
  const [upper, lower, hand] = ['UpperArm', 'LowerArm', 'Hand'].map((part) => boneOf(side, part));
  if (![upper, lower, hand].every((bone) => hasBone(state, bone))) return 0;
  const first = new Float64Array(3);
  const second = new Float64Array(3);
  vec3.subtract(first, 0, state.bonePositions, 3 * lower, state.bonePositions, 3 * upper);
  vec3.subtract(second, 0, state.bonePositions, 3 * hand, state.bonePositions, 3 * lower);
  return vec3.angleBetween(first, 0, second, 0);
}

/** Finds the best evidence for the roll of a hand along X. Without any the hand keeps the roll of the forearm. */
export function findPalmRoll(state: EstimatorState, side: Side, knuckles: readonly number[]): PalmCue {
  const shown = knuckleCue(state, side, knuckles) ?? thumbCue(state, side) ?? meshCue(state, side);
  if (shown !== null) return shown;
  const elbow = bendOfElbow(state, side);
  if (elbow > ELBOW) {
    return {
      roll: 0,
      confidence: 0.5,
      reason: `no knuckles and no thumb, roll from the elbow, which is bent by ${formatDegrees(elbow)}`,
    };
  }
  return {
    roll: 0,
    confidence: 0.3,
    reason: 'fewer than two knuckles and no thumb, roll of the forearm kept',
  };
}
