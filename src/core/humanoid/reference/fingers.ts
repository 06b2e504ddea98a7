/** Fingers in the T-pose: along X, with the roll of the hand; thumbs between X and Z. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE_PARENTS } from '../bones.ts';
import { nextInChain, tChain } from './t-pose.ts';
import {
  across,
  addTurn,
  boneOf,
  DEGREES,
  type Direction,
  DOWN,
  degrees,
  FRONT,
  find,
  followParent,
  has,
  rollBy,
  rollTo,
  type Side,
  swing,
  type TurnedBody,
  tipCount,
  tipDirection,
  turnedSegment,
} from './turned-body.ts';

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
const JOINTS = ['Proximal', 'Intermediate', 'Distal'] as const;
const THUMB = ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'] as const;

/** A finger that points to the side, this near to the axis about which it curls, does not show its curl. */
const SIDEWAYS = 20 / DEGREES;
/** Offsets of the joints of a finger along one and the same local axis, but for this: bones of the rig lie along that axis. */
const SAME_AXIS = 0.1 / DEGREES;
/** Fingers that were curled or spread further than this are told so. */
const CURLED = 100 / DEGREES;
/** Two segments of a thumb that are bent against each other by this show the plane in which it bends, radians … */
const BENT_THUMB = 10 / DEGREES;
/** … when that asks for no greater roll than this: such a thumb is bent the wrong way. */
const THUMB_ROLL = 60 / DEGREES;

/**
 * Lays a finger bone along `goal` so that the axis about which fingers curl, +Z, stays what it is: however far a finger is curled, it
 * gets the roll of the hand. One that points to the side goes the shortest way.
 */
function uncurl(body: TurnedBody, bone: number, direction: Direction, goal: Direction): number {
  const angle = vec3.angleBetween(direction, 0, goal, 0);
  if (Math.abs(Math.PI / 2 - vec3.angleBetween(direction, 0, FRONT, 0)) > Math.PI / 2 - SIDEWAYS) {
    return swing(body, bone, direction, goal, DOWN);
  }
  const along = new Float64Array(3);
  const from = new Float64Array(4);
  const to = new Float64Array(4);
  vec3.normalize(along, 0, direction, 0);
  basis(from, along, across(FRONT, along));
  basis(to, goal, FRONT);
  quat.conjugate(from, 0, from, 0);
  quat.multiply(to, 0, to, 0, from, 0);
  addTurn(body, bone, to);
  return angle;
}

/** The rotation that carries +X to `x` and +Z to `z`, which is perpendicular to it. */
function basis(out: Float64Array, x: Direction, z: Direction): void {
  const up = new Float64Array(3);
  const front = new Float64Array(3);
  vec3.normalize(front, 0, z, 0);
  vec3.cross(up, 0, front, 0, x, 0);
  quat.fromBasis(out, 0, x, 0, up, 0, front, 0);
}

/** Offset of a bone from the one above it, in the axes of that one's node, at length 1. */
function localOffset({ nodes, pose, points }: TurnedBody, parent: number, bone: number): Float64Array {
  const offset = new Float64Array(3);
  const inverse = new Float64Array(4);
  vec3.subtract(offset, 0, points, 3 * bone, points, 3 * parent);
  quat.conjugate(inverse, 0, pose.rotations, 4 * nodes[parent]);
  vec3.rotate(offset, 0, inverse, 0, offset, 0);
  vec3.normalize(offset, 0, offset, 0);
  return offset;
}

/**
 * Where the last bone of a finger points: to the only node at its tip; without one along the local axis on which the joints before it lie,
 * when that is the same for both of them. Null when neither shows it.
 */
function tipOf(body: TurnedBody, bone: number): Float64Array | null {
  const tips = tipCount(body, bone);
  if (tips === 1) return tipDirection(body, bone);
  const middle = BONE_PARENTS[bone];
  const first = BONE_PARENTS[middle];
  if (tips > 1 || !has(body, middle) || !has(body, first)) return null;
  const axis = localOffset(body, middle, bone);
  if (!(vec3.angleBetween(localOffset(body, first, middle), 0, axis, 0) < SAME_AXIS)) return null;
  vec3.rotate(axis, 0, body.pose.rotations, 4 * body.nodes[bone], axis, 0);
  vec3.rotate(axis, 0, body.turns, 4 * bone, axis, 0);
  return axis;
}

/** Where a bone of a finger points, as it is turned now; null when nothing shows it. */
function pointing(body: TurnedBody, bone: number): Float64Array | null {
  const next = nextInChain(tChain(bone), bone, body.nodes, body.points);
  return next >= 0 ? turnedSegment(body, bone, next, bone) : tipOf(body, bone);
}

/** Straightens the four fingers of a hand. */
export function alignFingers(body: TurnedBody, side: Side): void {
  let most = 0;
  let blind = 0;
  let count = 0;
  for (const finger of FINGERS) {
    for (const joint of JOINTS) {
      const bone = boneOf(side, `${finger}${joint}`);
      if (!has(body, bone)) continue;
      count++;
      followParent(body, bone);
      const direction = pointing(body, bone);
      if (direction === null) blind++;
      else most = Math.max(most, uncurl(body, bone, direction, tChain(bone).direction));
    }
  }
  if (count === 0) return;
  const straightened = most * DEGREES < 0.5 ? 'straight' : `straightened by up to ${degrees(most)}`;
  const tips = blind === 0 ? '' : `; ${blind} of ${count} joints have nothing beyond them and follow the joint before`;
  find(
    body,
    `${side}Fingers`,
    most > CURLED ? 0.6 : blind > count / 2 ? 0.7 : blind > 0 ? 0.9 : 1,
    straightened + tips,
  );
}

/** The roll of a thumb that lies along its direction, by the plane in which it is bent; null when it is straight. */
function thumbRoll(body: TurnedBody, side: Side, bones: readonly number[], direction: Direction): number | null {
  const [first, second, third] = bones;
  if (second === undefined) return null;
  const upper = turnedSegment(body, first, second, first);
  const lower = third === undefined ? null : turnedSegment(body, second, third, first);
  if (lower === null || vec3.angleBetween(upper, 0, lower, 0) < BENT_THUMB) return null;
  const hinge = new Float64Array(3);
  vec3.cross(hinge, 0, upper, 0, lower, 0);
  // Left thumbs bend towards the fingers about +Y, right ones about −Y.
  return rollTo(direction, hinge, [0, side === 'left' ? 1 : -1, 0]);
}

/** Lays a thumb between X and Z, its bend in the plane of the palm. */
export function alignThumb(body: TurnedBody, side: Side): void {
  const bones = THUMB.map((part) => boneOf(side, part)).filter((bone) => has(body, bone));
  if (bones.length === 0) return;
  const { direction } = tChain(bones[0]);
  let reason = 'straight: its roll is that of the hand';
  let confidence = 0.7;
  for (const [k, bone] of bones.entries()) {
    followParent(body, bone);
    const way = pointing(body, bone);
    if (way === null) continue;
    swing(body, bone, way, direction, DOWN);
    const roll = k === 0 ? thumbRoll(body, side, bones, direction) : null;
    if (roll === null) continue;
    if (Math.abs(roll) > THUMB_ROLL) {
      reason = 'bent across the palm: its roll is that of the hand';
      confidence = 0.6;
    } else {
      rollBy(body, bone, direction, roll);
      reason = `the plane in which it is bent, rolled by ${degrees(roll)}`;
      confidence = 0.9;
    }
  }
  find(body, `${side}Thumb`, confidence, reason);
}
