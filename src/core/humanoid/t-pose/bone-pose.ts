import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE, BONE_COUNT, presentParent } from '../bones.ts';
import type { ModelPose } from './model-pose.ts';

/** World rotations and positions of the bones, canonical frame. Lengths are in the unit of whoever built it. */
export interface BonePose {
  /** Rotation per bone, xyzw; identity where the bone is absent. */
  readonly rotations: Float64Array;
  /** Position per bone, xyz; zero where the bone is absent. */
  readonly positions: Float64Array;
}

/** Collects the positions of the bones of a pose and rotates them. `frame`: rotation to apply, xyzw. */
export function bonePositions(pose: ModelPose, nodes: Int32Array, frame: Float64Array): Float64Array {
  const points = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.rotate(points, 3 * bone, frame, 0, pose.positions, 3 * nodes[bone]);
  }
  return points;
}

/**
 * Creates the same correction for every bone. It brings a pose into the canonical frame without changing it otherwise. `frame`: rotation into the
 * canonical frame, xyzw.
 */
export function uniformCorrections(frame: Float64Array): Float64Array {
  const corrections = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.copy(corrections, 4 * bone, frame, 0);
  return corrections;
}

/**
 * Applies the corrections N(b) of the bones to a pose: `W̄(b) = N(b) · W(b)`, and `p̄(b) = p̄(a) + N(a) · (p(b) − p(a))` with a the nearest present
 * ancestor bone. Nodes between two bones rotate with the upper one. A bone with another parent in the node tree (a foot below its own IK root)
 * still stays at the end of its limb. `corrections`: N(b) per bone, xyzw. Returns the corrected pose, units of the file.
 */
export function applyCorrections(nodes: Int32Array, pose: ModelPose, corrections: Float64Array): BonePose {
  const rotations = new Float64Array(4 * BONE_COUNT);
  const positions = new Float64Array(3 * BONE_COUNT);
  const offset = new Float64Array(3);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = nodes[bone];
    quat.identity(rotations, 4 * bone);
    if (node < 0) continue;
    quat.multiply(rotations, 4 * bone, corrections, 4 * bone, pose.rotations, 4 * node);
    quat.normalize(rotations, 4 * bone, rotations, 4 * bone);
    const parent = presentParent(bone, nodes);
    if (parent < 0) {
      vec3.rotate(positions, 3 * bone, corrections, 4 * bone, pose.positions, 3 * node);
      continue;
    }
    vec3.subtract(offset, 0, pose.positions, 3 * node, pose.positions, 3 * nodes[parent]);
    vec3.rotate(offset, 0, corrections, 4 * parent, offset, 0);
    vec3.add(positions, 3 * bone, positions, 3 * parent, offset, 0);
  }
  return { rotations, positions };
}

export const FEET = [BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];

export function lowestFootHeight(positions: Float64Array, nodes: Int32Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const bone of FEET) if (nodes[bone] >= 0) lowest = Math.min(lowest, positions[3 * bone + 1]);
  if (lowest < Number.POSITIVE_INFINITY) return lowest;
  for (let bone = 0; bone < BONE_COUNT; bone++)
    if (nodes[bone] >= 0) lowest = Math.min(lowest, positions[3 * bone + 1]);
  return lowest;
}

export function highestBoneHeight(positions: Float64Array, nodes: Int32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let bone = 0; bone < BONE_COUNT; bone++)
    if (nodes[bone] >= 0) highest = Math.max(highest, positions[3 * bone + 1]);
  return highest;
}

/** Moves all bones, in place. `offset`: xyz, same unit as the positions. */
export function moveBones(positions: Float64Array, nodes: Int32Array, offset: ArrayLike<number>): void {
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.add(positions, 3 * bone, positions, 3 * bone, offset, 0);
  }
}
