/** A body in motion, by plain forward kinematics: independent of how a plan computes. */
import type { Clip } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE_COUNT } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices, localToModelRotations } from '../skeleton/pose.ts';

/** A humanoid, its clip, and buffers of one moment. */
export interface Player {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  /** World deltas `W · W̄⁻¹`, xyzw a bone, canonical frame. Meaningless for bones that are not there. */
  readonly deltas: Float64Array;
  /** Positions, xyz a bone, canonical frame, meters. Meaningless for bones that are not there. */
  readonly points: Float64Array;
  readonly local: Float64Array;
  readonly rotations: Float64Array;
  readonly matrices: Float64Array;
}

/** A player of a clip, with buffers still empty. */
export function playerOf(humanoid: Humanoid, clip: Clip): Player {
  const count = humanoid.skeleton.parents.length;
  return {
    humanoid,
    clip,
    deltas: new Float64Array(4 * BONE_COUNT),
    points: new Float64Array(3 * BONE_COUNT),
    local: new Float64Array(10 * count),
    rotations: new Float64Array(4 * count),
    matrices: new Float64Array(16 * count),
  };
}

const inverse = new Float64Array(4);

/** Fills deltas and points with those of a time; nodes that the clip does not animate rest. */
export function play(player: Player, time: number): void {
  const { humanoid, local, rotations, matrices, deltas, points } = player;
  const { skeleton, map, reference, frame, metersPerUnit } = humanoid;
  local.set(skeleton.rest);
  sampleClip(player.clip, time, local);
  localToModelRotations(rotations, skeleton.parents, local);
  localToModelMatrices(matrices, skeleton.parents, local);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const node = map.nodes[bone];
    if (node < 0) continue;
    quat.multiply(deltas, 4 * bone, frame, 0, rotations, 4 * node);
    quat.conjugate(inverse, 0, reference.rotations, 4 * bone);
    quat.multiply(deltas, 4 * bone, deltas, 4 * bone, inverse, 0);
    vec3.scale(points, 3 * bone, matrices, 16 * node + 12, metersPerUnit);
    vec3.rotate(points, 3 * bone, frame, 0, points, 3 * bone);
  }
}
