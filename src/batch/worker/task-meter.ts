/** Measures and draws the clips of a task for its report. */
import type { Clip } from '../../core/animation/clip.ts';
import { BONE } from '../../core/humanoid/bones.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { describeBody, type MeasuredBody } from '../../core/measure/body.ts';
import { sampleSource } from '../../core/measure/ground-frames.ts';
import { FRAME_STRIDE, type JointFrames, type MeasuredMotion, sampleJoints } from '../../core/measure/joint-frames.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { RetargetedFile } from '../../files/jobs/retarget-clips.ts';
import type { RetargetTarget } from '../../files/jobs/retarget-motions.ts';
import { STRIP_BONES, STRIP_FRAMES, STRIP_OFFSET, STRIP_SCALE, STRIP_VIEWS } from '../report/strip-format.ts';
import type { PairFigures, TaskReport, TaskStrips } from '../run/task-outcome.ts';
import { measurePair, worstFigures } from './pair-figures.ts';

/** Clips of one result that are measured. */
const MOST_MEASURED = 8;

interface TaskMeter {
  /** Measures the clips that were made of a motion. */
  readonly add: (done: RetargetedFile) => void;
  /** Returns the worst figures, and the contact sheets of the measured clips. */
  readonly result: () => Pick<TaskReport, 'figures' | 'strips'>;
}

/** Draws motions once, for all characters; the first result tells which way is up where the file does not. */
export type MotionStrips = (motion: MeasuredMotion, result: MeasuredMotion) => string;

/** Creates an empty store of contact sheets of motions, which are released with the motions. */
export function createMotionStrips(): MotionStrips {
  const known = new WeakMap<Clip, string>();
  return (motion, result) => {
    const strip = known.get(motion.clip) ?? motionStrip(motion, result);
    known.set(motion.clip, strip);
    return strip;
  };
}

const bodies = new WeakMap<Humanoid, MeasuredBody>();

/** Describes a character for the ruler, once; without its skin, which would stay in memory: feet are measured at their joints. */
function bodyOf(humanoid: Humanoid): MeasuredBody {
  const body = bodies.get(humanoid) ?? describeBody({ skeleton: humanoid.skeleton, nodes: humanoid.map.nodes });
  bodies.set(humanoid, body);
  return body;
}

/** Creates a meter for a task. `target`: the character; null for clip libraries, which are not measured. */
export function createTaskMeter(target: RetargetTarget | null, stripOf: MotionStrips): TaskMeter {
  const figures: PairFigures[] = [];
  const strips: TaskStrips[] = [];
  const found = target?.character.choice.found ?? null;
  const add: TaskMeter['add'] = ({ clips }) => {
    if (target === null || found === null) return;
    const { humanoid } = found;
    for (const { clip, motion, moving, hipsScale } of clips) {
      if (figures.length >= MOST_MEASURED || clip.tracks.length === 0) continue;
      const source = { body: bodyOf(moving), clip: motion };
      const result = { body: bodyOf(humanoid), clip };
      const plain = retargetClip(planRetarget(moving, humanoid, { hipsScale }), motion);
      figures.push(measurePair(source, result, plain));
      strips.push({ clip: clip.name, source: stripOf(source, result), target: resultStrip(result) });
    }
  };
  return { add, result: () => ({ figures: worstFigures(figures), strips }) };
}

/** Rotations about the up axis: a little from the left of the front, and from the left side, radians. */
const YAWS = [0.3, Math.PI / 2] as const;

function byteOf(value: number): number {
  return Math.max(-128, Math.min(127, Math.round(value)));
}

/** Evenly spaced times of a clip, from its start to its end. */
function stripTimes(duration: number): Float64Array {
  return Float64Array.from({ length: STRIP_FRAMES }, (_, frame) => (duration * frame) / (STRIP_FRAMES - 1));
}

function withoutSkin({ body, clip }: MeasuredMotion): MeasuredMotion {
  return { body: { ...body, outlines: [] }, clip };
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
