/** Putting a reference pose together: rotations and positions of the bones in the canonical frame, seated on the ground. */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import { BONE, BONE_COUNT } from './bones.ts';
import type { ModelPose } from './model-pose.ts';

/** Rotations (4 a bone) and positions (3 a bone) in the canonical frame, in units of the file. */
export interface TurnedPose {
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
}

/** The same turn for every bone: the pose as it is, only brought into the canonical frame. */
export function rigidTurns(frame: Float64Array): Float64Array {
  const turns = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.copy(turns, 4 * bone, frame, 0);
  return turns;
}

/**
 * Applies the turns N(b) of the bones to a pose: `W̄(b) = N(b) · W(b)`; positions follow from the roots down.
 * A node that is no bone turns with the nearest bone above it, or with `frame` where there is none.
 */
export function turnPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  pose: ModelPose,
  turns: Float64Array,
  frame: Float64Array,
): TurnedPose {
  const count = skeleton.parents.length;
  const boneOfNode = new Int32Array(count).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (nodes[bone] >= 0) boneOfNode[nodes[bone]] = bone;
  const nodeTurns = new Float64Array(4 * count);
  const nodePositions = new Float64Array(3 * count);
  const offset = new Float64Array(3);
  for (let node = 0; node < count; node++) {
    const parent = skeleton.parents[node];
    if (parent < 0) {
      vec3.rotate(nodePositions, 3 * node, frame, 0, pose.positions, 3 * node);
    } else {
      vec3.subtract(offset, 0, pose.positions, 3 * node, pose.positions, 3 * parent);
      vec3.rotate(offset, 0, nodeTurns, 4 * parent, offset, 0);
      vec3.add(nodePositions, 3 * node, nodePositions, 3 * parent, offset, 0);
    }
    if (boneOfNode[node] >= 0) quat.copy(nodeTurns, 4 * node, turns, 4 * boneOfNode[node]);
    else if (parent >= 0) quat.copy(nodeTurns, 4 * node, nodeTurns, 4 * parent);
    else quat.copy(nodeTurns, 4 * node, frame, 0);
  }
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = nodes[bone];
    quat.identity(rotations, 4 * bone);
    if (node < 0) continue;
    quat.multiply(rotations, 4 * bone, turns, 4 * bone, pose.rotations, 4 * node);
    quat.normalize(rotations, 4 * bone, rotations, 4 * bone);
    vec3.copy(positions, 3 * bone, nodePositions, 3 * node);
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
