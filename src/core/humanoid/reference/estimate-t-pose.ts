/**
 * The estimator of the reference pose: from any pose of a body to its T-pose, by positions and the bone map alone.
 *
 * Every bone gets one turn N(b), the world rotation from the pose to the T-pose. From the hips outward, each segment of arms,
 * fingers and legs takes the shortest arc to its T direction on top of what its parent turned. Spine, neck, head and
 * shoulders follow their parent: a character's own curvature is its character, not its pose. A foot keeps its pitch (the sole was flat on
 * the ground before, and straightening the leg must not tilt it) and only turns its toes to the front.
 */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONE_PARENTS, BONES, presentParent } from '../bones.ts';
import type { ModelPose } from './model-pose.ts';
import { type Chain, nextInChain, T_POSE_CHAINS } from './t-pose.ts';

/** A knee or an elbow bent more than this shows the axis of its hinge. Less, and the side bend of a real leg would pass for it. */
const HINGE = (30 * Math.PI) / 180;
/** Beyond this the shortest arc has no certain axis: an arm is lowered first, then raised sideways. */
const NEARLY_OPPOSITE = (150 * Math.PI) / 180;

const DOWN = [0, -1, 0] as const;
const UP = [0, 1, 0] as const;
const FRONT = [0, 0, 1] as const;

/** Turns from a pose to the T-pose. */
export interface Estimate {
  /** N(b) per bone: file axes of the pose → canonical T-pose, xyzw; identity where the bone is absent. */
  readonly turns: Float64Array;
  readonly issues: readonly Issue[];
}

interface Body {
  readonly nodes: Int32Array;
  /** Position per bone in the pose, axes of the file. */
  readonly points: Float64Array;
  readonly turns: Float64Array;
}

/** The segment from a bone to another, as the turn of bone `turned` would show it, canonical frame. */
function turnedSegment(out: Float64Array, body: Body, from: number, to: number, turned: number): void {
  vec3.subtract(out, 0, body.points, 3 * to, body.points, 3 * from);
  vec3.rotate(out, 0, body.turns, 4 * turned, out, 0);
}

/** Puts a world rotation on top of the turn of a bone. */
function addTurn(body: Body, bone: number, rotation: Float64Array): void {
  quat.multiply(body.turns, 4 * bone, rotation, 0, body.turns, 4 * bone);
  quat.normalize(body.turns, 4 * bone, body.turns, 4 * bone);
}

/** Swings a bone so that `direction` (as the bone's turn shows it now) comes to lie along `goal`. */
function swing(body: Body, bone: number, direction: Float64Array, goal: readonly number[]): void {
  const arc = new Float64Array(4);
  if (vec3.angleBetween(direction, 0, goal, 0) > NEARLY_OPPOSITE) {
    quat.fromTo(arc, 0, direction, 0, DOWN, 0);
    addTurn(body, bone, arc);
    quat.fromTo(arc, 0, DOWN, 0, goal, 0);
  } else {
    quat.fromTo(arc, 0, direction, 0, goal, 0);
  }
  addTurn(body, bone, arc);
}

/** Rolls a bone about `axis` so that `sign`, seen along the axis, comes to lie along `goal`. No roll when `sign` lies along the axis. */
function roll(body: Body, bone: number, axis: readonly number[], sign: Float64Array, goal: readonly number[]): void {
  const flat = new Float64Array(3);
  vec3.addScaled(flat, 0, sign, 0, axis, 0, -vec3.dot(sign, 0, axis, 0));
  if (!(vec3.length(flat, 0) > 1e-6 * vec3.length(sign, 0))) return;
  const across = new Float64Array(3);
  vec3.cross(across, 0, flat, 0, goal, 0);
  const angle = Math.atan2(vec3.dot(across, 0, axis, 0), vec3.dot(flat, 0, goal, 0));
  const rotation = new Float64Array(4);
  quat.fromAxisAngle(rotation, 0, axis, 0, angle);
  addTurn(body, bone, rotation);
}

/**
 * The axis about which the joint at the end of an upper segment bends, in the T-pose: the left elbow bends the forearm to the front
 * about −Y, the right one about +Y; both knees bend the shin back about +X. Null for segments without a hinge below them.
 */
function hingeAxis(bone: number): readonly number[] | null {
  switch (BONES[bone]) {
    case 'leftUpperArm':
      return [0, -1, 0];
    case 'rightUpperArm':
      return [0, 1, 0];
    case 'leftUpperLeg':
    case 'rightUpperLeg':
      return [1, 0, 0];
    default:
      return null;
  }
}

/** Rolls an upper segment, which lies along its chain already, by the hinge below it when that is bent enough to show its axis. */
function rollByHinge(body: Body, chain: Chain, upper: number, lower: number): void {
  const axis = hingeAxis(upper);
  const end = nextInChain(chain, lower, body.nodes, body.points);
  if (axis === null || end < 0) return;
  const lowerSegment = new Float64Array(3);
  turnedSegment(lowerSegment, body, lower, end, upper);
  if (vec3.angleBetween(lowerSegment, 0, chain.direction, 0) < HINGE) return;
  const hinge = new Float64Array(3);
  vec3.cross(hinge, 0, chain.direction, 0, lowerSegment, 0);
  roll(body, upper, chain.direction, hinge, axis);
}

/** The direction that a fingertip, head or toe end gives: the only child node that is no bone itself. False when there is none. */
function tipDirection(out: Float64Array, skeleton: Skeleton, pose: ModelPose, body: Body, bone: number): boolean {
  const node = body.nodes[bone];
  let tip = -1;
  for (let child = node + 1; child < skeleton.parents.length; child++) {
    if (skeleton.parents[child] !== node) continue;
    if (tip >= 0) return false;
    tip = child;
  }
  if (tip < 0 || body.nodes.includes(tip)) return false;
  vec3.subtract(out, 0, pose.positions, 3 * tip, pose.positions, 3 * node);
  vec3.rotate(out, 0, body.turns, 4 * bone, out, 0);
  return vec3.length(out, 0) > 0;
}

/**
 * The direction of a hand without a middle finger. A single finger stands for all of them: the way to its knuckle. Of several the
 * first segments, in the plane of the palm so that their curl does not count; the way to their knuckles would not do, those lie
 * beside the axis of the hand. Zero when no finger has a segment: the hand then follows the forearm.
 */
function fingersDirection(out: Float64Array, body: Body, hand: number, knuckles: readonly number[]): void {
  if (knuckles.length === 1) {
    turnedSegment(out, body, hand, knuckles[0], hand);
    return;
  }
  const toKnuckles = new Float64Array(3);
  const segment = new Float64Array(3);
  for (const knuckle of knuckles) {
    turnedSegment(segment, body, hand, knuckle, hand);
    vec3.add(toKnuckles, 0, toKnuckles, 0, segment, 0);
    const chain = T_POSE_CHAINS.find(({ bones }) => bones[0] === knuckle);
    const next = chain === undefined ? -1 : nextInChain(chain, knuckle, body.nodes, body.points);
    if (next < 0) continue;
    turnedSegment(segment, body, knuckle, next, hand);
    vec3.normalize(segment, 0, segment, 0);
    vec3.add(out, 0, out, 0, segment, 0);
  }
  if (knuckles.length === 0) return;
  const normal = new Float64Array(3);
  turnedSegment(segment, body, knuckles[knuckles.length - 1], knuckles[0], hand);
  vec3.cross(normal, 0, toKnuckles, 0, segment, 0);
  vec3.normalize(normal, 0, normal, 0);
  vec3.addScaled(out, 0, out, 0, normal, 0, -vec3.dot(out, 0, normal, 0));
}

function alignHand(body: Body, side: 'left' | 'right', outward: readonly number[], issues: Issue[]): void {
  const hand = BONE[`${side}Hand`];
  const knuckles = (['Index', 'Middle', 'Ring', 'Little'] as const)
    .map((finger) => BONE[`${side}${finger}Proximal`])
    .filter((bone) => body.nodes[bone] >= 0);
  const direction = new Float64Array(3);
  const middle = BONE[`${side}MiddleProximal`];
  if (body.nodes[middle] >= 0) turnedSegment(direction, body, hand, middle, hand);
  else fingersDirection(direction, body, hand, knuckles);
  if (vec3.length(direction, 0) > 0) swing(body, hand, direction, outward);
  const front = new Float64Array(3);
  if (knuckles.length >= 2) {
    // From the little finger's side to the index finger's: forward when the palm faces the ground.
    turnedSegment(front, body, knuckles[knuckles.length - 1], knuckles[0], hand);
    roll(body, hand, outward, front, FRONT);
    return;
  }
  const thumb = BONE[`${side}ThumbMetacarpal`];
  const thumbNext =
    body.nodes[BONE[`${side}ThumbProximal`]] >= 0 ? BONE[`${side}ThumbProximal`] : BONE[`${side}ThumbDistal`];
  if (body.nodes[thumb] >= 0 && body.nodes[thumbNext] >= 0) {
    turnedSegment(front, body, thumb, thumbNext, hand);
    roll(body, hand, outward, front, FRONT);
    return;
  }
  if (body.nodes[hand] < 0) return;
  issues.push(
    issue(
      'POSE_LIMB_UNSURE',
      `${side}Hand: no two knuckles and no thumb show where the palm faces; it keeps the roll of the forearm.`,
    ),
  );
}

function alignFoot(skeleton: Skeleton, pose: ModelPose, body: Body, side: 'left' | 'right'): void {
  const foot = BONE[`${side}Foot`];
  const toes = BONE[`${side}Toes`];
  quat.copy(body.turns, 4 * foot, body.turns, 4 * BONE.hips);
  const heading = new Float64Array(3);
  if (body.nodes[toes] >= 0) turnedSegment(heading, body, foot, toes, foot);
  else if (!tipDirection(heading, skeleton, pose, body, foot)) return;
  // A toe joint straight below the ankle (or a tip along the shin) tells no heading.
  if (Math.hypot(heading[0], heading[2]) < 0.2 * vec3.length(heading, 0)) return;
  roll(body, foot, UP, heading, FRONT);
}

/** The bone whose turn a bone starts from: its nearest ancestor of the 55-bone tree that is there. */
function startFromParent(body: Body, bone: number): void {
  const parent = presentParent(bone, body.nodes);
  if (parent >= 0) quat.copy(body.turns, 4 * bone, body.turns, 4 * parent);
}

function alignSegment(skeleton: Skeleton, pose: ModelPose, body: Body, chain: Chain, bone: number): void {
  const direction = new Float64Array(3);
  const next = nextInChain(chain, bone, body.nodes, body.points);
  if (next >= 0) {
    turnedSegment(direction, body, bone, next, bone);
    swing(body, bone, direction, chain.direction);
    rollByHinge(body, chain, bone, next);
    return;
  }
  if (chain.limb.endsWith('Fingers') && tipDirection(direction, skeleton, pose, body, bone)) {
    swing(body, bone, direction, chain.direction);
  }
}

/**
 * Estimates the T-pose of a body. `attitude` turns the hips of the pose into the canonical frame (the metric frame of the pose).
 * An exact T-pose comes back unchanged: every turn is `attitude` itself.
 */
export function estimateTPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  pose: ModelPose,
  attitude: Float64Array,
): Estimate {
  const turns = new Float64Array(4 * BONE_COUNT);
  const points = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    quat.identity(turns, 4 * bone);
    if (nodes[bone] >= 0) vec3.copy(points, 3 * bone, pose.positions, 3 * nodes[bone]);
  }
  const body: Body = { nodes, points, turns };
  const issues: Issue[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    if (BONE_PARENTS[bone] < 0) {
      quat.copy(turns, 4 * bone, attitude, 0);
      continue;
    }
    startFromParent(body, bone);
    alignBone(skeleton, pose, body, bone, issues);
  }
  return { turns, issues };
}

function alignBone(skeleton: Skeleton, pose: ModelPose, body: Body, bone: number, issues: Issue[]): void {
  const name = BONES[bone];
  const side = name.startsWith('left') ? 'left' : 'right';
  const outward = [side === 'left' ? 1 : -1, 0, 0];
  if (name === `${side}Hand`) alignHand(body, side, outward, issues);
  else if (name === `${side}Foot`) alignFoot(skeleton, pose, body, side);
  else {
    const chain = T_POSE_CHAINS.find(({ bones, limb }) => bones.includes(bone) && !limb.endsWith('Hand'));
    if (chain !== undefined) alignSegment(skeleton, pose, body, chain, bone);
  }
}
