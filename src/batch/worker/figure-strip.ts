/** Stick figures of a clip as a short text, which the report draws as a contact sheet. */
import { BONE } from '../../core/humanoid/bones.ts';
import { sampleSource } from '../../core/measure/ground-frames.ts';
import { FRAME_STRIDE, type JointFrames, type MeasuredMotion, sampleJoints } from '../../core/measure/joint-frames.ts';
import { withoutSkin } from '../../core/measure/ruler.ts';
import { STRIP_BONES, STRIP_FRAMES, STRIP_OFFSET, STRIP_SCALE, STRIP_VIEWS } from '../report/strip-format.ts';

/** Rotations about the up axis: a little from the left of the front, and from the left side, radians. */
const YAWS = [0.3, Math.PI / 2] as const;

function byteOf(value: number): number {
  return Math.max(-128, Math.min(127, Math.round(value)));
}

/** Evenly spaced times of a clip, from its start to its end. */
function stripTimes(duration: number): Float64Array {
  return Float64Array.from({ length: STRIP_FRAMES }, (_, frame) => (duration * frame) / (STRIP_FRAMES - 1));
}

export function resultStrip(result: MeasuredMotion): string {
  return figureStrip(sampleJoints(withoutSkin(result), stripTimes(result.clip.duration)));
}

/** Draws a motion at evenly spaced times, on the ground of its clip: many BVH files rest with the hips at the origin, or lying. */
export function motionStrip(motion: MeasuredMotion, result: MeasuredMotion): string {
  const frames = sampleJoints(withoutSkin(result), stripTimes(result.clip.duration));
  return figureStrip(sampleSource(withoutSkin(motion), stripTimes(motion.clip.duration), frames));
}

/** Draws frames from the front and from the side, with the hips of every figure at the same horizontal position. */
function figureStrip({ body, positions }: JointFrames): string {
  const bones = STRIP_BONES.map(([bone]) => BONE[bone]);
  const present = bones.map((bone) => body.nodes[bone] >= 0);
  const mask = new Uint8Array(Math.ceil(bones.length / 8));
  present.forEach((is, k) => {
    if (is) mask[k >> 3] |= 1 << (k & 7);
  });
  const out = new Int8Array(2 * bones.length * STRIP_FRAMES * STRIP_VIEWS);
  const scale = STRIP_SCALE / body.height;
  for (const [view, yaw] of YAWS.entries()) {
    const [sine, cosine] = [Math.sin(yaw), Math.cos(yaw)];
    for (let frame = 0; frame < STRIP_FRAMES; frame++) {
      const at = FRAME_STRIDE * frame;
      const [x0, z0] = [positions[at + 3 * BONE.hips], positions[at + 3 * BONE.hips + 2]];
      for (let k = 0; k < bones.length; k++) {
        if (!present[k]) continue;
        const o = 2 * ((view * STRIP_FRAMES + frame) * bones.length + k);
        const joint = at + 3 * bones[k];
        out[o] = byteOf(((positions[joint] - x0) * cosine - (positions[joint + 2] - z0) * sine) * scale);
        out[o + 1] = byteOf(positions[joint + 1] * scale - STRIP_OFFSET);
      }
    }
  }
  return Buffer.concat([mask, new Uint8Array(out.buffer)]).toString('base64');
}
