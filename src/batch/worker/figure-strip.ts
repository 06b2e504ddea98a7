/** Stick figures of a clip as a short text, which the report draws as a contact sheet. */
import type { Clip } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { createMotionSampler, sampleMotion } from '../../core/measure/motion-sampler.ts';
import { STRIP_BONES, STRIP_FRAMES, STRIP_OFFSET, STRIP_SCALE } from '../report/strip-format.ts';

/** View from the front left: rotation about the up axis, radians. */
const YAW = 0.6;

function byteOf(value: number): number {
  return Math.max(-128, Math.min(127, Math.round(value)));
}

/**
 * Draws a clip at evenly spaced times, seen from the front left, with the hips of every figure at the same horizontal position.
 *
 * @param humanoid The character.
 * @param clip Its clip.
 * @returns Base64 of one bit per drawn bone that tells whether it exists, then x and y per drawn bone and figure, one signed byte each.
 */
export function figureStrip(humanoid: Humanoid, clip: Clip): string {
  const sampler = createMotionSampler(humanoid, clip);
  const bones = STRIP_BONES.map(([bone]) => BONE[bone]);
  const present = bones.map((bone) => humanoid.map.nodes[bone] >= 0);
  const mask = new Uint8Array(Math.ceil(bones.length / 8));
  present.forEach((is, k) => {
    if (is) mask[k >> 3] |= 1 << (k & 7);
  });
  const out = new Int8Array(2 * bones.length * STRIP_FRAMES);
  const scale = STRIP_SCALE / humanoid.height;
  const { positions } = sampler;
  for (let frame = 0; frame < STRIP_FRAMES; frame++) {
    sampleMotion(sampler, (clip.duration * frame) / (STRIP_FRAMES - 1));
    const [x0, z0] = [positions[3 * BONE.hips], positions[3 * BONE.hips + 2]];
    bones.forEach((bone, k) => {
      if (!present[k]) return;
      const o = 2 * (frame * bones.length + k);
      const [x, y, z] = positions.subarray(3 * bone, 3 * bone + 3);
      out[o] = byteOf(((x - x0) * Math.cos(YAW) + (z - z0) * Math.sin(YAW)) * scale);
      out[o + 1] = byteOf((y - humanoid.ground) * scale - STRIP_OFFSET);
    });
  }
  return Buffer.concat([mask, new Uint8Array(out.buffer)]).toString('base64');
}
