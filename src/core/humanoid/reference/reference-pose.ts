/** Putting a reference pose together: rotations and positions of the bones in the canonical frame, seated on the ground. */
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, BONE_COUNT, presentParent } from '../bones.ts';
import type { ModelPose } from './model-pose.ts';

/** Rotations (4 a bone) and positions (3 a bone) in the canonical frame, in units of the file. */
export interface TurnedPose {
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
}

/** Positions of the bones of a pose (3 a bone), turned by `frame`. */
export function bonePositions(pose: ModelPose, nodes: Int32Array, frame: Float64Array): Float64Array {
  const points = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.rotate(points, 3 * bone, frame, 0, pose.positions, 3 * nodes[bone]);
  }
  return points;
}

/** The same turn for every bone: the pose as it is, only brought into the canonical frame. */
export function rigidTurns(frame: Float64Array): Float64Array {
  const turns = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.copy(turns, 4 * bone, frame, 0);
  return turns;
}

/**
 * Applies the turns N(b) of the bones to a pose: `W̄(b) = N(b) · W(b)`, and `p̄(b) = p̄(a) + N(a) · (p(b) − p(a))` with a the nearest bone
 * above in the tree of bones. Nodes between two bones turn with the upper one; a bone that hangs somewhere else in the
 * node tree (a foot below its own IK root) still stays at the end of its limb.
 */
export function turnPose(nodes: Int32Array, pose: ModelPose, turns: Float64Array): TurnedPose {
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  const offset = new Float64Array(3);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = nodes[bone];
    quat.identity(rotations, 4 * bone);
    if (node < 0) continue;
    quat.multiply(rotations, 4 * bone, turns, 4 * bone, pose.rotations, 4 * node);
    quat.normalize(rotations, 4 * bone, rotations, 4 * bone);
    const parent = presentParent(bone, nodes);
    if (parent < 0) {
      vec3.rotate(positions, 3 * bone, turns, 4 * bone, pose.positions, 3 * node);
      continue;
    }
    vec3.subtract(offset, 0, pose.positions, 3 * node, pose.positions, 3 * nodes[parent]);
    vec3.rotate(offset, 0, turns, 4 * parent, offset, 0);
    vec3.add(positions, 3 * bone, positions, 3 * parent, offset, 0);
  }
  return { rotations, positions };
}

const FEET = [BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];

/** Height of the lowest foot or toe joint; of the lowest bone where there are no feet. */
export function lowestFoot(positions: Float64Array, nodes: Int32Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const bone of FEET) if (nodes[bone] >= 0) lowest = Math.min(lowest, positions[3 * bone + 1]);
  if (lowest < Number.POSITIVE_INFINITY) return lowest;
  for (let bone = 0; bone < BONE_COUNT; bone++)
    if (nodes[bone] >= 0) lowest = Math.min(lowest, positions[3 * bone + 1]);
  return lowest;
}

/** Height of the highest bone. */
export function highestBone(positions: Float64Array, nodes: Int32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let bone = 0; bone < BONE_COUNT; bone++)
    if (nodes[bone] >= 0) highest = Math.max(highest, positions[3 * bone + 1]);
  return highest;
}

/** Moves all bones up by `height`. */
export function raise(positions: Float64Array, nodes: Int32Array, height: number): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) if (nodes[bone] >= 0) positions[3 * bone + 1] += height;
}
