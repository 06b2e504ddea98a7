import { DEGREE, fromAxisAngles } from '../../math/euler.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { modelMatrices } from '../../skeleton/pose.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, type BoneName, presentParent } from '../bones.ts';
import { type BonePose, FEET } from '../t-pose/bone-pose.ts';
import type { BodyPositions } from './body-proportions.ts';
import type { StandardRigName } from './rig-names.ts';
import { type RigJoint, type RigTable, STANDARD_RIGS } from './standard-rigs.ts';

/** What each side sign stands for, left and right. */
const SIDE_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  '@': ['Left', 'Right'],
  '&': ['left', 'right'],
  '^': ['l', 'r'],
};
const SIDE_SIGN = /[@&^]/;

/** Product order of rotations about the fixed axes x, y, z. */
const FIXED_XYZ = [2, 1, 0];

interface PlacedJoint {
  readonly name: string;
  readonly parent: number;
  /** 0 in the middle or left, 1 right. */
  readonly side: 0 | 1;
  /** Bone that its place refers to; −1 without. */
  readonly bone: number;
  /** Share of the way to the bone from the next one above; 1 at the bone. */
  readonly share: number;
  /** Whether the share is measured from the bone on. */
  readonly isBeyond: boolean;
  /** Index of the joint that it coincides with; −1 without. */
  readonly twin: number;
  readonly turn: readonly number[];
  /** In the axes of its parent; null for the direction of the body. */
  readonly toward: readonly number[] | null;
}

function numbers(text: string): number[] {
  return text.split(' ').map(Number);
}

function withSide(text: string, side: 0 | 1): string {
  return text.replace(SIDE_SIGN, (sign) => SIDE_WORDS[sign][side]);
}

function boneNamed(word: string, side: 0 | 1): number {
  return BONE[word as BoneName] ?? BONE[`${['left', 'right'][side]}${word}` as BoneName];
}

function listJoints({ joints, along }: RigTable): PlacedJoint[] {
  const placed: PlacedJoint[] = [];
  const indices = new Map<string, number>();
  const add = ([name, parent, place, turn = '', toward = '']: RigJoint, side: 0 | 1): void => {
    const [word, share = '1'] = place.split(' ');
    const direction = toward === '' ? along : toward;
    const isTwin = word.startsWith('=');
    indices.set(withSide(name, side), placed.length);
    placed.push({
      name: withSide(name, side),
      parent: indices.get(withSide(parent, side)) ?? -1,
      side,
      bone: isTwin || word === '' ? -1 : boneNamed(word, side),
      share: Number(share),
      isBeyond: share.startsWith('+'),
      twin: isTwin ? (indices.get(withSide(word.slice(1), side)) ?? -1) : -1,
      turn: turn === '' ? [0, 0, 0] : numbers(turn),
      toward: direction === null ? null : numbers(direction),
    });
  };
  for (const group of joints) {
    const hasSides = SIDE_SIGN.test(group[0][0]);
    for (const joint of group) add(joint, 0);
    if (hasSides) for (const joint of group) add(joint, 1);
  }
  return placed;
}

/** Computes the local rotation of a joint and the direction from its parent; changes those of the left side into those of the right. */
function localAxes(
  { turn, toward, side }: PlacedJoint,
  isBelowMiddle: boolean,
  mirror: RigTable['mirror'],
): { rotation: Float64Array; direction: Float64Array | null } {
  const rotation = new Float64Array(4);
  fromAxisAngles(rotation, 0, FIXED_XYZ, [turn[2], turn[1], turn[0]], 0, DEGREE);
  const direction = toward === null ? null : Float64Array.from(toward);
  if (direction !== null) vec3.normalize(direction, 0, direction, 0);
  if (side === 0) return { rotation, direction };
  if (mirror === 'reflected') {
    const [x, y, z, w] = rotation;
    rotation.set([x, -y, -z, w]);
    if (direction !== null) direction[0] *= -1;
    return { rotation, direction };
  }
  // The axes of the middle of such a rig have z sideways. Below a joint of the same side, only the way to the child is reversed.
  if (isBelowMiddle) {
    quat.multiply(rotation, 0, Float64Array.of(0, 0, 1, 0), 0, rotation, 0);
    if (direction !== null) direction[2] *= -1;
  } else if (direction !== null) vec3.scale(direction, 0, direction, 0, -1);
  return { rotation, direction };
}

/** Poses the joints at rest; the hips are `lift` above those of the body. Returns transforms per joint, model space. */
function poseAtRest(
  table: RigTable,
  joints: readonly PlacedJoint[],
  nodes: Int32Array,
  body: BodyPositions,
  lift: number,
): BonePose {
  const rotations = new Float64Array(4 * joints.length);
  const positions = new Float64Array(3 * joints.length);
  const way = new Float64Array(3);
  for (const [k, joint] of joints.entries()) {
    const { parent, bone, share, isBeyond, twin } = joint;
    if (twin >= 0) {
      quat.copy(rotations, 4 * k, rotations, 4 * twin);
      vec3.copy(positions, 3 * k, positions, 3 * twin);
      continue;
    }
    const isBelowMiddle = parent < 0 || joints[parent].side !== joint.side;
    const { rotation, direction } = localAxes(joint, isBelowMiddle, table.mirror);
    if (parent < 0) quat.copy(rotations, 4 * k, rotation, 0);
    else quat.multiply(rotations, 4 * k, rotations, 4 * parent, rotation, 0);
    if (parent >= 0) vec3.copy(positions, 3 * k, positions, 3 * parent);
    if (bone < 0) continue;
    const above = presentParent(bone, nodes);
    if (above < 0) {
      vec3.copy(positions, 3 * k, body, 3 * bone);
      positions[3 * k + 1] += lift;
      continue;
    }
    vec3.subtract(way, 0, body, 3 * bone, body, 3 * above);
    const isOnSameWay = parent >= 0 && joints[parent].bone === bone && !isBeyond;
    const part = isOnSameWay ? share - joints[parent].share : share;
    if (direction !== null) {
      vec3.scale(direction, 0, direction, 0, vec3.length(way, 0));
      vec3.rotate(way, 0, rotations, 4 * parent, direction, 0);
    }
    vec3.addScaled(positions, 3 * k, positions, 3 * parent, way, 0, part);
  }
  return { rotations, positions };
}

function lowest(positions: ArrayLike<number>, indices: readonly number[]): number {
  return Math.min(...indices.map((index) => positions[3 * index + 1]));
}

/**
 * Builds the skeleton of a standard rig. It rests and is bound in the rest pose of the rig, faces +Z with +Y up, and stands on y = 0; lengths are
 * in meters. `body`: where the joints of the bones are; the rig has its lengths, and stands with its feet as high.
 */
export function createRigSkeleton(rig: StandardRigName, body: BodyPositions): Skeleton {
  const table: RigTable = STANDARD_RIGS[rig];
  const joints = listJoints(table);
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [k, { bone, share, isBeyond }] of joints.entries())
    if (bone >= 0 && share === 1 && !isBeyond) nodes[bone] = k;
  const feet = FEET.filter((bone) => nodes[bone] >= 0);
  const unlifted = poseAtRest(table, joints, nodes, body, 0);
  const lift =
    lowest(body, feet) -
    lowest(
      unlifted.positions,
      feet.map((bone) => nodes[bone]),
    );
  const { rotations, positions } = poseAtRest(table, joints, nodes, body, lift);
  const parents = Int32Array.from(joints, ({ parent }) => parent);
  const rest = new Float64Array(POSE_STRIDE * joints.length);
  const toParent = Float64Array.of(0, 0, 0, 1);
  for (const [k, parent] of parents.entries()) {
    const at = POSE_STRIDE * k;
    rest.fill(1, at + PATH_OFFSET.scale, at + POSE_STRIDE);
    if (parent < 0) {
      vec3.copy(rest, at, positions, 3 * k);
      quat.copy(rest, at + PATH_OFFSET.rotation, rotations, 4 * k);
      continue;
    }
    quat.conjugate(toParent, 0, rotations, 4 * parent);
    vec3.subtract(rest, at, positions, 3 * k, positions, 3 * parent);
    vec3.rotate(rest, at, toParent, 0, rest, at);
    quat.multiply(rest, at + PATH_OFFSET.rotation, toParent, 0, rotations, 4 * k);
  }
  const bind = modelMatrices(parents, rest);
  return {
    name: rig,
    names: joints.map(({ name }) => name),
    parents,
    rest,
    bind,
    joints: new Uint8Array(joints.length).fill(1),
  };
}
