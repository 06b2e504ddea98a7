import type { Clip } from '../../animation/clip.ts';
import { clipWithoutReflections } from '../../animation/reflect-clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { BONE_COUNT, BONES } from '../../humanoid/bones.ts';
import * as quat from '../../math/quat.ts';
import { type FrameGrid, timeOf } from '../frames/character-frames.ts';
import { clipOfNodes, poseNodes, withAncestors } from '../frames/pose-nodes.ts';
import { nodePosition, type PosedCharacter } from '../frames/posed-character.ts';

/** Floats per bone: world delta xyzw, position xyz. */
export const BONE_STRIDE = 7;
export const POSITION_OFFSET = 4;
export const FRAME_STRIDE: number = BONE_STRIDE * BONE_COUNT;

const ALL_BONES: readonly number[] = [...BONES.keys()];
const inverse = new Float64Array(4);

/**
 * Samples the bones of a character.
 *
 * @returns {@link FRAME_STRIDE} floats per frame, canonical frame, meters; zeros for absent and other bones.
 */
export function sampleBoneFrames(
  character: PosedCharacter,
  clip: Clip,
  grid: FrameGrid,
  bones: readonly number[] = ALL_BONES,
): Float64Array {
  const { map, skeleton, reference, frame: canonical } = character.humanoid;
  const out = new Float64Array(FRAME_STRIDE * grid.count);
  const present = [...new Set(bones)].filter((bone) => map.nodes[bone] >= 0);
  const nodes = withAncestors(
    skeleton.parents,
    present.map((bone) => map.nodes[bone]),
  );
  const sampled = clipWithoutReflections(clipOfNodes(clip, nodes), character.signs, skeleton.rest);
  const cursors = new Int32Array(sampled.tracks.length);
  character.local.set(skeleton.rest);
  for (let frame = 0; frame < grid.count; frame++) {
    sampleClip(sampled, timeOf(grid, frame), character.local, cursors);
    poseNodes(character, nodes);
    for (let k = 0; k < present.length; k++) {
      const bone = present[k];
      const node = map.nodes[bone];
      const at = FRAME_STRIDE * frame + BONE_STRIDE * bone;
      quat.conjugate(inverse, 0, reference.rotations, 4 * bone);
      quat.multiply(out, at, canonical, 0, character.rotations, 4 * node);
      quat.multiply(out, at, out, at, inverse, 0);
      nodePosition(out, at + POSITION_OFFSET, character, node);
    }
  }
  return out;
}

export function referenceBoneFrame({ humanoid: { map, reference } }: PosedCharacter): Float64Array {
  const out = new Float64Array(FRAME_STRIDE);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    quat.identity(out, BONE_STRIDE * bone);
    out.set(reference.positions.subarray(3 * bone, 3 * bone + 3), BONE_STRIDE * bone + POSITION_OFFSET);
  }
  return out;
}
