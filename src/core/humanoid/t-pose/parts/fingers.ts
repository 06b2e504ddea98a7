import { DEGREES_PER_RADIAN } from '../../../math/euler.ts';
import * as quat from '../../../math/quat.ts';
import * as vec3 from '../../../math/vec3.ts';
import { BONE_PARENTS, FINGER_SEGMENTS, FINGERS, type Side } from '../../bones.ts';
import {
  addFinding,
  addRotation,
  boneOf,
  correctedSegment,
  type Direction,
  DOWN,
  type EstimatorState,
  FRONT,
  followParent,
  formatDegrees,
  hasBone,
  perpendicularPart,
  rollAngleTo,
  rollBone,
  swingBone,
  tipCount,
  tipDirection,
} from '../estimator-state.ts';
import { findChain, nextInChain } from '../t-pose-chains.ts';

const THUMB = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'] as const;

/** A finger this close to the axis about which it curls, radians, does not show its curl. */
const SIDEWAYS = 20 / DEGREES_PER_RADIAN;
/** Maximum angle between the local offsets of two finger joints, or of one and a coordinate axis, radians, for bones along one local axis of the rig. */
const SAME_AXIS = 0.1 / DEGREES_PER_RADIAN;
/** Fingers that were curled or spread more than this, radians, lower the confidence. */
const CURLED = 100 / DEGREES_PER_RADIAN;
/** A bend of a thumb of at least this, radians, shows the plane in which it bends. */
const BENT_THUMB = 10 / DEGREES_PER_RADIAN;
/** Maximum roll of that plane, radians: beyond it the thumb is bent the wrong way. */
const THUMB_ROLL = 60 / DEGREES_PER_RADIAN;

/**
 * Aligns a finger bone with `goal` while +Z, the axis about which fingers curl, stays fixed: however far a finger is
 * curled, it gets the roll of the hand. A finger that points to the side takes the shortest arc.
 */
function uncurl(state: EstimatorState, bone: number, direction: Direction, goal: Direction): number {
  const angle = vec3.angleBetween(direction, 0, goal, 0);
  if (Math.abs(Math.PI / 2 - vec3.angleBetween(direction, 0, FRONT, 0)) > Math.PI / 2 - SIDEWAYS) {
    return swingBone(state, bone, direction, goal, DOWN);
  }
  const along = new Float64Array(3);
  const from = new Float64Array(4);
  const to = new Float64Array(4);
  vec3.normalize(along, 0, direction, 0);
  basis(from, along, perpendicularPart(FRONT, along));
  basis(to, goal, FRONT);
  quat.conjugate(from, 0, from, 0);
  quat.multiply(to, 0, to, 0, from, 0);
  addRotation(state, bone, to);
  return angle;
}

/** The rotation that maps +X to `x` and +Z to `z`, which is perpendicular to it. */
function basis(out: Float64Array, x: Direction, z: Direction): void {
  const up = new Float64Array(3);
  const front = new Float64Array(3);
  vec3.normalize(front, 0, z, 0);
  vec3.cross(up, 0, front, 0, x, 0);
  quat.fromBasis(out, 0, x, 0, up, 0, front, 0);
}

/** Unit offset of a bone from its parent bone, in the axes of the node of the parent. */
function localOffset({ nodes, pose, bonePositions }: EstimatorState, parent: number, bone: number): Float64Array {
  const offset = new Float64Array(3);
  const inverse = new Float64Array(4);
  vec3.subtract(offset, 0, bonePositions, 3 * bone, bonePositions, 3 * parent);
  quat.conjugate(inverse, 0, pose.rotations, 4 * nodes[parent]);
  vec3.rotate(offset, 0, inverse, 0, offset, 0);
  vec3.normalize(offset, 0, offset, 0);
  return offset;
}

/** Tells whether a unit vector is along a coordinate axis. */
function isAlongAxis(vector: Float64Array): boolean {
  return vector.some((component) => Math.abs(component) > Math.cos(SAME_AXIS));
}

/**
 * Where the last bone of a finger points: to the single node at its tip; without one along the local axis on which the
 * joint before it is, when that is a coordinate axis or the same for the joint before that. Null when neither shows it.
 */
function tipOf(state: EstimatorState, bone: number): Float64Array | null {
  const tips = tipCount(state, bone);
  if (tips === 1) return tipDirection(state, bone);
  const middle = BONE_PARENTS[bone];
  const first = BONE_PARENTS[middle];
  if (tips > 1 || !hasBone(state, middle) || !hasBone(state, first)) return null;
  const axis = localOffset(state, middle, bone);
  const isSame = (): boolean => vec3.angleBetween(localOffset(state, first, middle), 0, axis, 0) < SAME_AXIS;
  if (!isAlongAxis(axis) && !isSame()) return null;
  vec3.rotate(axis, 0, state.pose.rotations, 4 * state.nodes[bone], axis, 0);
  vec3.rotate(axis, 0, state.corrections, 4 * bone, axis, 0);
  return axis;
}

/** Where a bone of a finger points, corrected; null when nothing shows it. */
function pointing(state: EstimatorState, bone: number): Float64Array | null {
  const next = nextInChain(findChain(bone), bone, state.nodes, state.bonePositions);
  return next >= 0 ? correctedSegment(state, bone, next, bone) : tipOf(state, bone);
}

export function alignFingers(state: EstimatorState, side: Side): void {
  let largest = 0;
  let unknown = 0;
  let count = 0;
  for (const finger of FINGERS) {
    for (const joint of FINGER_SEGMENTS) {
      const bone = boneOf(side, `${finger}${joint}`);
      if (!hasBone(state, bone)) continue;
      count++;
      followParent(state, bone);
      const direction = pointing(state, bone);
      if (direction === null) unknown++;
      else largest = Math.max(largest, uncurl(state, bone, direction, findChain(bone).direction));
    }
  }
  if (count === 0) return;
  const straightened =
    largest * DEGREES_PER_RADIAN < 0.5 ? 'straight' : `straightened by up to ${formatDegrees(largest)}`;
  const tips = unknown === 0 ? '' : `; ${unknown} of ${count} joints have no next joint and follow the previous one`;
  addFinding(
    state,
    `${side}Fingers`,
    largest > CURLED ? 0.6 : unknown > count / 2 ? 0.7 : unknown > 0 ? 0.9 : 1,
    straightened + tips,
  );
}

/** Roll of an aligned thumb, radians, from the plane in which it bends; null when it is straight. */
function thumbRoll(state: EstimatorState, side: Side, bones: readonly number[], direction: Direction): number | null {
  const [first, second, third] = bones;
  if (second === undefined) return null;
  const upper = correctedSegment(state, first, second, first);
  const lower = third === undefined ? null : correctedSegment(state, second, third, first);
  if (lower === null || vec3.angleBetween(upper, 0, lower, 0) < BENT_THUMB) return null;
  const hinge = new Float64Array(3);
  vec3.cross(hinge, 0, upper, 0, lower, 0);
  // Left thumbs bend toward the fingers about +Y, right ones about −Y.
  return rollAngleTo(direction, hinge, [0, side === 'left' ? 1 : -1, 0]);
}

/** Aligns a thumb between X and Z, with its bend in the plane of the palm. */
export function alignThumb(state: EstimatorState, side: Side): void {
  const bones = THUMB.map((part) => boneOf(side, part)).filter((bone) => hasBone(state, bone));
  if (bones.length === 0) return;
  const { direction } = findChain(bones[0]);
  let reason = 'straight, roll of the hand';
  let confidence = 0.7;
  for (const [k, bone] of bones.entries()) {
    followParent(state, bone);
    const current = pointing(state, bone);
    if (current === null) continue;
    swingBone(state, bone, current, direction, DOWN);
    const roll = k === 0 ? thumbRoll(state, side, bones, direction) : null;
    if (roll === null) continue;
    if (Math.abs(roll) > THUMB_ROLL) {
      reason = 'bent across the palm, roll of the hand';
      confidence = 0.6;
    } else {
      rollBone(state, bone, direction, roll);
      reason = `roll from the plane in which it bends, rolled by ${formatDegrees(roll)}`;
      confidence = 0.9;
    }
  }
  addFinding(state, `${side}Thumb`, confidence, reason);
}
