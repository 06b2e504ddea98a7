/** Samples the bones of a character in motion by plain forward kinematics, independent of retargeting plans. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { clipWithoutReflections } from '../../../src/core/animation/reflect-clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { localToModelMatrices, localToModelRotations } from '../../../src/core/skeleton/pose.ts';
import { findReflections, withoutReflections } from '../../../src/core/skeleton/reflections.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';

/** A humanoid, its clip, and buffers for one moment. */
export interface MotionSampler {
  /** The character, without reflections. */
  readonly humanoid: Humanoid;
  /** The clip, for the skeleton without reflections. */
  readonly clip: Clip;
  /** World deltas `W · W̄⁻¹`, xyzw per bone, canonical frame; undefined for absent bones. */
  readonly worldDeltas: Float64Array;
  /** Positions, xyz per bone, canonical frame, meters; undefined for absent bones. */
  readonly positions: Float64Array;
  /** Local pose, 10 floats per node. */
  readonly local: Float64Array;
  /** Model rotations, xyzw per node. */
  readonly rotations: Float64Array;
  /** Model matrices, 16 floats per node. */
  readonly matrices: Float64Array;
}

/**
 * Creates a sampler with empty buffers.
 *
 * @param humanoid The character.
 * @param clip A clip on its nodes.
 * @returns The sampler.
 */
export function createMotionSampler(humanoid: Humanoid, clip: Clip): MotionSampler {
  const signs = findReflections(humanoid.skeleton);
  const skeleton = withoutReflections(humanoid.skeleton, signs);
  const count = skeleton.parents.length;
  return {
    // Reference rotations are those of the rig without reflections, whose joints are at the same positions.
    humanoid: { ...humanoid, skeleton },
    clip: clipWithoutReflections(clip, signs, skeleton.rest),
    worldDeltas: new Float64Array(4 * BONE_COUNT),
    positions: new Float64Array(3 * BONE_COUNT),
    local: new Float64Array(POSE_STRIDE * count),
    rotations: new Float64Array(4 * count),
    matrices: new Float64Array(MATRIX_STRIDE * count),
  };
}

const inverse = new Float64Array(4);

/**
 * Samples world deltas and positions at a time. Nodes without tracks keep their rest pose.
 *
 * @param sampler The sampler; its buffers are overwritten.
 * @param time Seconds.
 */
export function sampleMotion(sampler: MotionSampler, time: number): void {
  const { humanoid, local, rotations, matrices, worldDeltas, positions } = sampler;
  const { skeleton, map, reference, frame, metersPerUnit } = humanoid;
  local.set(skeleton.rest);
  sampleClip(sampler.clip, time, local);
  localToModelRotations(rotations, skeleton.parents, local);
  localToModelMatrices(matrices, skeleton.parents, local);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    quat.multiply(worldDeltas, 4 * bone, frame, 0, rotations, 4 * node);
    quat.conjugate(inverse, 0, reference.rotations, 4 * bone);
    quat.multiply(worldDeltas, 4 * bone, worldDeltas, 4 * bone, inverse, 0);
    vec3.scale(positions, 3 * bone, matrices, MATRIX_STRIDE * node + 12, metersPerUnit);
    vec3.rotate(positions, 3 * bone, frame, 0, positions, 3 * bone);
  }
}
