/**
 * IK as MikuMikuDance solves it: cyclic coordinate descent (CCD) over the links, each rotation limited to the angle of the IK bone, each link to its angles. As in other
 * programs that play such motions, a link with one axis rotates about it alone in the first half of the rounds, in which an angle beyond its limit is reflected at it: so
 * that a straight knee starts to bend.
 */
import { fromAxisAngles } from '../../../core/math/euler.ts';
import * as quat from '../../../core/math/quat.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import type { AngleLimits } from '../model/mmd-model.ts';
import { placeBone } from './place-bone.ts';
import type { Rig, RigIk, RigState } from './rig.ts';

/** Squared distance from the goal that is near enough, and squared sine of an angle that is none: 10⁻⁴ units are 8 µm. */
const NEAR_SQUARED = 1e-8;
/** Angles near a quarter turn about the middle axis have no unique angles about the others. */
const MOST_MIDDLE = (88 * Math.PI) / 180;
const QUARTER = Math.PI / 2;

/** Returns the angle within its limits: the nearest one, or where `reflects` the angle mirrored at the limit that it exceeds. */
function limitAngle(angle: number, least: number, greatest: number, reflects: boolean): number {
  if (angle < least) {
    const mirrored = 2 * least - angle;
    return reflects && mirrored <= greatest ? mirrored : least;
  }
  if (angle > greatest) {
    const mirrored = 2 * greatest - angle;
    return reflects && mirrored >= least ? mirrored : greatest;
  }
  return angle;
}

/** The order of axes whose middle one has limits within a quarter turn, for angles without jumps. */
function middleAxis({ least, greatest }: AngleLimits): 0 | 1 | 2 {
  if (least[0] > -QUARTER && greatest[0] < QUARTER) return 0;
  return least[1] > -QUARTER && greatest[1] < QUARTER ? 1 : 2;
}

/** Axes in the order of the product, with each axis in the middle: R = Ry · Rx · Rz, R = Rz · Ry · Rx, R = Rx · Rz · Ry. */
const ORDERS = [
  [1, 0, 2],
  [2, 1, 0],
  [0, 2, 1],
] as const;

const angles = new Float64Array(3);
const limited = new Float64Array(4);

function limitRotation(q: Float64Array, limits: AngleLimits, reflects: boolean): void {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  const middle = middleAxis(limits);
  const clamp = (sin: number): number => {
    const angle = Math.asin(Math.max(-1, Math.min(1, sin)));
    return Math.max(-MOST_MIDDLE, Math.min(MOST_MIDDLE, angle));
  };
  // The elements of the rotation matrix that the three orders need.
  if (middle === 0) {
    angles[1] = clamp(2 * (x * w - y * z));
    angles[0] = Math.atan2(2 * (x * z + y * w), 1 - 2 * (x * x + y * y));
    angles[2] = Math.atan2(2 * (x * y + z * w), 1 - 2 * (x * x + z * z));
  } else if (middle === 1) {
    angles[1] = clamp(2 * (y * w - x * z));
    angles[0] = Math.atan2(2 * (x * y + z * w), 1 - 2 * (y * y + z * z));
    angles[2] = Math.atan2(2 * (y * z + x * w), 1 - 2 * (x * x + y * y));
  } else {
    angles[1] = clamp(2 * (z * w - x * y));
    angles[0] = Math.atan2(2 * (y * z + x * w), 1 - 2 * (x * x + z * z));
    angles[2] = Math.atan2(2 * (x * z + y * w), 1 - 2 * (y * y + z * z));
  }
  const order = ORDERS[middle];
  for (let k = 0; k < 3; k++) {
    const least = Math.min(limits.least[order[k]], limits.greatest[order[k]]);
    const greatest = Math.max(limits.least[order[k]], limits.greatest[order[k]]);
    angles[k] = limitAngle(angles[k], least, greatest, reflects);
  }
  fromAxisAngles(q, 0, order, angles);
}

/** Returns the only axis that a link may rotate about: −1 for all, −2 for none. */
function onlyAxis({ least, greatest }: AngleLimits): number {
  let only = -2;
  for (let axis = 0; axis < 3; axis++) {
    if (least[axis] === 0 && greatest[axis] === 0) continue;
    if (only >= 0) return -1;
    only = axis;
  }
  return only;
}

const toEffector = new Float64Array(3);
const toGoal = new Float64Array(3);
const axis = new Float64Array(3);
const turn = new Float64Array(4);
const back = new Float64Array(4);

/** Rotates a link so that the effector is in the direction of the goal; returns false where nothing was to do. */
function rotateLink(rig: Rig, state: RigState, ik: RigIk, goal: number, link: number, isFirstHalf: boolean): boolean {
  const { bone, limits } = ik.links[link];
  const only = limits === null ? -1 : onlyAxis(limits);
  if (only === -2) return false;
  const { worldPositions, worldRotations, ikRotations, rotations } = state;
  vec3.subtract(toEffector, 0, worldPositions, 3 * ik.effector, worldPositions, 3 * bone);
  vec3.subtract(toGoal, 0, worldPositions, 3 * goal, worldPositions, 3 * bone);
  vec3.normalize(toEffector, 0, toEffector, 0);
  vec3.normalize(toGoal, 0, toGoal, 0);
  vec3.cross(axis, 0, toEffector, 0, toGoal, 0);
  if (vec3.dot(axis, 0, axis, 0) < NEAR_SQUARED) return false;
  const angle = Math.acos(Math.max(-1, Math.min(1, vec3.dot(toEffector, 0, toGoal, 0))));
  // The axis in the space of the parent.
  const parent = rig.parents[bone];
  if (parent >= 0) vec3.rotateBack(axis, 0, worldRotations, 4 * parent, axis, 0);
  if (isFirstHalf && only >= 0) {
    const sign = axis[only] >= 0 ? 1 : -1;
    vec3.set(axis, 0, 0, 0, 0);
    axis[only] = sign;
  } else vec3.normalize(axis, 0, axis, 0);
  quat.fromAxisAngle(turn, 0, axis, 0, Math.min(ik.angle * (link + 1), angle));
  quat.multiply(ikRotations, 4 * bone, turn, 0, ikRotations, 4 * bone);
  if (limits !== null) {
    quat.multiply(limited, 0, ikRotations, 4 * bone, rotations, 4 * bone);
    limitRotation(limited, limits, isFirstHalf);
    quat.conjugate(back, 0, rotations, 4 * bone);
    quat.multiply(ikRotations, 4 * bone, limited, 0, back, 0);
  }
  quat.normalize(ikRotations, 4 * bone, ikRotations, 4 * bone);
  return true;
}

function isNear({ worldPositions }: RigState, a: number, b: number): boolean {
  let squared = 0;
  for (let c = 0; c < 3; c++) squared += (worldPositions[3 * a + c] - worldPositions[3 * b + c]) ** 2;
  return squared < NEAR_SQUARED;
}

/** Squared distance that the effector moves in a round in which IK has come to rest: 10⁻⁵ units are 1 µm. */
const STILL_SQUARED = 1e-10;
const before = new Float64Array(3);

/** Rotates the links of an IK bone so that its effector reaches it. The bones from the topmost link to the effector are placed; others below the links are not. */
export function solveIk(rig: Rig, state: RigState, ik: RigIk, goal: number): void {
  const { worldPositions } = state;
  if (isNear(state, ik.effector, goal)) return;
  const half = ik.loops >> 1;
  for (let round = 0; round < ik.loops; round++) {
    vec3.copy(before, 0, worldPositions, 3 * ik.effector);
    for (let link = 0; link < ik.links.length; link++) {
      const from = ik.chainIndices[link];
      if (from < 0 || !rotateLink(rig, state, ik, goal, link, round < half)) continue;
      for (let k = from; k < ik.chain.length; k++) placeBone(rig, state, ik.chain[k]);
    }
    if (isNear(state, ik.effector, goal)) return;
    vec3.subtract(before, 0, worldPositions, 3 * ik.effector, before, 0);
    if (vec3.dot(before, 0, before, 0) >= STILL_SQUARED) continue;
    if (round >= half) return;
    // Further rounds of the first half would change nothing.
    round = half - 1;
  }
}
