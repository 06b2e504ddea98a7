/** Estimates which way a character faces and where its up axis is, from the lines of hips and shoulders: the first step of the T-pose estimator. */
import type { Clip } from '../../animation/clip.ts';
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, SIDES } from '../bones.ts';
import { type FrontVote, findFrontCues, voteFront } from './facing.ts';
import type { ModelPose } from './model-pose.ts';
import { samplePoses } from './sample-poses.ts';
import { findTrunkLines, midpoint, type TrunkLines } from './trunk-lines.ts';

/** Up snaps to an axis of the file within this angle, radians: a leaning character keeps its lean. */
const UP_SNAP = (15 * Math.PI) / 180;
/**
 * The front snaps to an axis of the file within this angle, radians. Hip and shoulder joints of real rigs are 0.1 to 0.4° off by noise, and
 * every world delta would contain that yaw.
 */
const FRONT_SNAP = (2 * Math.PI) / 180;
/** A character narrower than this fraction of its height has no left and right. */
const NARROW = 1e-3;
/** Minimum sine of the angle between the side line and up. */
const ASKEW = 1e-3;
/** Angle between trunk and legs below which a pose stands, radians. Kneeling is 45°. */
const STANDING = (25 * Math.PI) / 180;
/** Cues below this sum do not contradict hips and shoulders. A foot that points straight to the front counts 1. */
const CONTRADICTION = 0.3;

export interface FrameEstimate {
  /** Rotates directions from the axes of the file so that the left of the character is +X, up +Y, front +Z; unit quaternion xyzw. */
  readonly rotation: Float64Array;
  readonly issues: readonly Issue[];
  /** The evidence for the front, in plain words. */
  readonly reason: string;
  /** Confidence of the front, 0…1. */
  readonly confidence: number;
}

/** Replaces a direction by the nearest axis of the file within `limit`, radians; returns whether it did. */
function snapToAxis(direction: Float64Array, limit: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const unit = new Float64Array(3);
    unit[axis] = Math.sign(direction[axis]);
    if (unit[axis] === 0 || vec3.angleBetween(unit, 0, direction, 0) >= limit) continue;
    direction.set(unit);
    return true;
  }
  return false;
}

/**
 * Corrects the up axis of rigs whose shoulders are behind their hips: takes the up of trunk and legs together when it
 * is near an axis, and would be with straight legs too, so that the T-pose that is found has the same up. Otherwise
 * leaves up unchanged.
 */
function includeLegs(up: Float64Array, hips: Float64Array, positions: Floats, nodes: Int32Array): void {
  const legs = new Float64Array(3);
  if (!midpoint(legs, positions, nodes, 'leftFoot', 'rightFoot')) return;
  vec3.subtract(legs, 0, hips, 0, legs, 0);
  if (!(vec3.normalize(legs, 0, legs, 0) > 0)) return;
  vec3.add(legs, 0, legs, 0, up, 0);
  if (snapToAxis(legs, UP_SNAP) && vec3.angleBetween(legs, 0, up, 0) < 2 * UP_SNAP) up.set(legs);
}

/** The horizontal axis of the file to which most cues point; null when no cue points to one. */
function guessFront(up: Float64Array, positions: Floats, nodes: Int32Array): Float64Array | null {
  const cues = findFrontCues(positions, nodes);
  let best: Float64Array | null = null;
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const front = new Float64Array(3);
      front[axis] = sign;
      if (Math.abs(vec3.dot(front, 0, up, 0)) > Math.SQRT1_2) continue;
      const { votes } = voteFront(cues, front);
      if (votes <= most) continue;
      most = votes;
      best = front;
    }
  }
  return best;
}

/** The up axis of a character, unit length; null without height. */
function upOf({ up: line, bottom }: TrunkLines, positions: Floats, nodes: Int32Array): Float64Array | null {
  const up = new Float64Array(3);
  if (!(vec3.normalize(up, 0, line, 0) > 0)) return null;
  if (!snapToAxis(up, UP_SNAP)) includeLegs(up, bottom, positions, nodes);
  return up;
}

/** The front of a character by the lines of its hips and shoulders, unit length, axes of the file; null when they show none. */
function frontOf(lines: TrunkLines, up: Float64Array): Float64Array | null {
  const side = new Float64Array(3);
  const breadth = vec3.normalize(side, 0, lines.side, 0);
  if (!(breadth > NARROW * vec3.length(lines.up, 0))) return null;
  const front = new Float64Array(3);
  vec3.cross(front, 0, side, 0, up, 0);
  if (!(vec3.normalize(front, 0, front, 0) > ASKEW)) return null;
  snapToAxis(front, FRONT_SNAP);
  return front;
}

/** F of a character with this up axis and front. */
function frameRotation(up: Float64Array, front: Float64Array): Float64Array {
  const side = new Float64Array(3);
  vec3.cross(side, 0, up, 0, front, 0);
  vec3.normalize(side, 0, side, 0);
  vec3.cross(front, 0, side, 0, up, 0);
  const axes = new Float64Array(4);
  quat.fromBasis(axes, 0, side, 0, up, 0, front, 0);
  return quat.conjugated(axes);
}

/**
 * Weighs what a pose shows of its front against the front that the lines of hips and shoulders show with the left and right of a bone map.
 * `positions`: position per node, xyz, model space. Returns the vote; null where the lines show no front, and in a pose that does not stand: the
 * feet of a character that sits or kneels point anywhere.
 */
export function voteOnSides(positions: Floats, nodes: Int32Array): FrontVote | null {
  const lines = findTrunkLines(positions, nodes);
  const up = lines === null ? null : upOf(lines, positions, nodes);
  if (lines === null || up === null || !isStanding(up, lines.bottom, positions, nodes)) return null;
  const front = frontOf(lines, up);
  return front === null ? null : voteFront(findFrontCues(positions, nodes), front);
}

/** Tests whether the feet are below the hips, along the trunk. */
function isStanding(up: Float64Array, hips: Float64Array, positions: Floats, nodes: Int32Array): boolean {
  const legs = new Float64Array(3);
  if (!midpoint(legs, positions, nodes, 'leftFoot', 'rightFoot')) return false;
  vec3.subtract(legs, 0, hips, 0, legs, 0);
  return vec3.angleBetween(legs, 0, up, 0) < STANDING;
}

/**
 * Estimates the canonical frame of a pose: +X along the lines of hips and shoulders, up from the hips to the shoulders. Up within 15° and a front
 * within 2° of an axis of the file are that axis. A character without breadth faces the horizontal axis of the file to which feet, face, knees and
 * thumbs point. `positions`: position per node, xyz, model space. Returns the rotation with its evidence; null without height or without anything
 * that shows the front.
 */
export function estimateFrame(positions: Floats, nodes: Int32Array): FrameEstimate | null {
  const lines = findTrunkLines(positions, nodes);
  const up = lines === null ? null : upOf(lines, positions, nodes);
  if (lines === null || up === null) return null;
  const front = frontOf(lines, up);
  if (front !== null) {
    const vote = voteFront(findFrontCues(positions, nodes), front);
    return { rotation: frameRotation(up, front), ...judge(vote) };
  }
  const guess = guessFront(up, positions, nodes);
  if (guess === null) return null;
  const { forward } = voteFront(findFrontCues(positions, nodes), guess);
  const reason = `front from ${forward.join(', ')}, because hips and shoulders have no breadth`;
  const message =
    `Hips and shoulders have no breadth, which would show left and right. The axis of the file to which ${forward.join(' and ')} point ` +
    'was taken as the front. Check the bone map.';
  return { rotation: frameRotation(up, guess), issues: [issue('FACING_GUESSED', message)], reason, confidence: 0.4 };
}

/** The front of files by convention, for each of their up axes. */
const FRONT_OF_UP = [
  [0, 0, 1],
  [0, 0, 1],
  [0, -1, 0],
] as const;

/** Returns the front of a file by convention, +Z where Y is up, and −Y where Z is up. `up`: up axis of the file, any length. */
export function frontByConvention(up: ArrayLike<number>): readonly [number, number, number] {
  return FRONT_OF_UP[mainAxis(up)];
}

/** Index of the axis of the file that a direction is nearest to. */
function mainAxis(direction: ArrayLike<number>): number {
  return [0, 1, 2].reduce((best, one) => (Math.abs(direction[one]) > Math.abs(direction[best]) ? one : best), 1);
}

/** A declared up axis further than this from the mean up axis of the motion, radians, is wrong: 60° is a crawl. */
const NOT_UP = Math.PI / 3;
/** Number of poses of a motion that are averaged for its up axis. */
const UP_SAMPLES = 12;

/** Adds the up axis of a pose, from the hip joints to the shoulders, to a sum. */
export function addUp(sum: Float64Array, nodes: Int32Array, pose: ModelPose): void {
  const line = new Float64Array(3);
  for (const side of SIDES) {
    const shoulder = nodes[BONE[`${side}UpperArm`]];
    const hip = nodes[BONE[`${side}UpperLeg`]];
    if (shoulder < 0 || hip < 0) continue;
    vec3.subtract(line, 0, pose.positions, 3 * shoulder, pose.positions, 3 * hip);
    vec3.add(sum, 0, sum, 0, line, 0);
  }
}

/** Returns the mean up axis of a character over a motion. */
export function meanUp(skeleton: Skeleton, nodes: Int32Array, motion: Clip): Float64Array {
  const up = new Float64Array(3);
  for (const pose of samplePoses(skeleton, motion, UP_SAMPLES)) addUp(up, nodes, pose);
  return up;
}

/**
 * Finds the canonical frame of a file whose poses are all in motion: its up axis, and the front by convention, +Z of a file whose up axis is Y, and
 * −Y of one whose up axis is Z. So all clips of a rig have the same frame, whichever way the character faces in them. `declared`: up axis that the
 * file declares, unit length; null without.
 */
export function findFileFrame(
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  declared: ArrayLike<number> | null,
): Float64Array {
  const mean = meanUp(skeleton, nodes, motion);
  const isUp = declared !== null && vec3.length(mean, 0) > 0 && vec3.angleBetween(declared, 0, mean, 0) < NOT_UP;
  const up = Float64Array.from(isUp ? declared : mean);
  const axis = mainAxis(up);
  const sign = up[axis] < 0 ? -1 : 1;
  up.fill(0);
  up[axis] = sign;
  return frameRotation(up, Float64Array.from(frontByConvention(up)));
}

/** Combines the lines with the cues. Cues that point backward mean that left and right are swapped. */
function judge({ votes, forward, backward }: FrontVote): Omit<FrameEstimate, 'rotation'> {
  const by = 'front from hips and shoulders';
  if (backward.length === 0) {
    const confirmed = forward.length === 0 ? '' : `, confirmed by ${forward.join(', ')}`;
    return { issues: [], reason: by + confirmed, confidence: forward.length === 0 ? 0.8 : 1 };
  }
  const reason = `${by}; ${backward.join(', ')} point backward`;
  if (votes > -CONTRADICTION) return { issues: [], reason, confidence: votes > 0 ? 0.9 : 0.6 };
  const message =
    `${backward.join(' and ')} point backward, away from the front that hips and shoulders show. ` +
    'Left and right of the bone map may be swapped. Check the bone map.';
  return { issues: [issue('FACING_GUESSED', message)], reason, confidence: 0.3 };
}
