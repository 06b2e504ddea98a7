/** Clips for playback: every moving channel has a key in every frame, so that sampling needs no search and no spherical interpolation. */
import { type PoseSigns, reflectPose } from '../core/skeleton/reflections.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../core/skeleton/skeleton.ts';

export const CHANNEL_STRIDE = 4;

/** Times of frames: frame k is at k / `frameRate` seconds, the last one at `duration`. */
export interface FrameGrid {
  /** Seconds. */
  readonly duration: number;
  /** Frames per second. */
  readonly frameRate: number;
  /** Number of frames, at least 1. */
  readonly frameCount: number;
}

/**
 * A clip that {@link sampleCompiledClip} and the kernel play. Plain data: it can be shared by any number of characters with the same skeleton, and
 * posted to a worker.
 */
export interface CompiledClip extends FrameGrid {
  /** Name of the clip. */
  readonly name: string;
  /** Constant channels: the rest pose of the skeleton with the constant values of the clip. 10 floats per node, local space. */
  readonly base: Float32Array;
  /** Nodes whose rotation moves, ascending. */
  readonly rotated: Int32Array;
  /** Nodes whose translation moves, ascending. */
  readonly translated: Int32Array;
  /** Nodes whose scale moves, ascending. */
  readonly scaled: Int32Array;
  /** Floats per frame: 4 per moving channel. */
  readonly frameStride: number;
  /**
   * `frameStride` floats per frame: a unit quaternion xyzw per rotated node, then xyz0 per translated node, then xyz0 per scaled node; local space.
   * Successive quaternions of a node are in the same hemisphere.
   */
  readonly frames: Float32Array;
  /** Greatest measured error of a local rotation between and at frames, radians. */
  readonly rotationError: number;
  /** Greatest measured error of a local translation, units of the file. */
  readonly translationError: number;
  /** Greatest measured error of a local scale. */
  readonly scaleError: number;
}

/** Converts a compiled clip to the same rig without negative scales; `signs` are from `findReflections`. */
export function reflectCompiledClip(clip: CompiledClip, signs: PoseSigns): CompiledClip {
  const { rotated, translated, scaled, frameStride } = clip;
  const base = clip.base.slice();
  reflectPose(base, base, signs);
  const ofFrame = new Int8Array(frameStride).fill(1);
  const channels = [
    [rotated, PATH_OFFSET.rotation, 4],
    [translated, PATH_OFFSET.translation, 3],
    [scaled, PATH_OFFSET.scale, 3],
  ] as const;
  let at = 0;
  for (const [nodes, offset, width] of channels) {
    for (const node of nodes) {
      const from = POSE_STRIDE * node + offset;
      ofFrame.set(signs.subarray(from, from + width), at);
      at += CHANNEL_STRIDE;
    }
  }
  return { ...clip, base, frames: clip.frames.map((value, k) => value * ofFrame[k % frameStride]) };
}

/**
 * Finds the frames around a time, which is clamped to the clip. `out` receives two numbers at `o`: the index of the frame before, at most
 * `frameCount` − 2, and the fraction of the way to the next frame, 0 to 1. Both are 0 for a clip with one frame. Allocates nothing.
 */
export function locateFrame(out: Float64Array, o: number, clip: FrameGrid, time: number): void {
  out[o] = time;
  splitTime(out, o, clip);
}

/** Replaces a time at `o` by its frame and fraction: an argument that is a number may be allocated. */
function splitTime(out: Float64Array, o: number, { frameCount, frameRate, duration }: FrameGrid): void {
  const last = frameCount - 2;
  const position = out[o] * frameRate;
  out[o] = 0;
  out[o + 1] = 0;
  if (last < 0 || !(position > 0)) return;
  const frame = Math.min(Math.floor(position), last);
  // The last frame may be closer than the others.
  const distance = frame === last ? duration * frameRate - last : 1;
  out[o] = frame;
  out[o + 1] = Math.min((position - frame) / distance, 1);
}

const located = new Float64Array(2);

/**
 * Samples a compiled clip at a time. Every value of the pose is written: nodes and paths that the clip does not move get their constant value.
 * Quaternions are interpolated linearly and normalized. Allocates nothing.
 *
 * @param clip From {@link compileClip}.
 * @param time Seconds; clamped to the clip.
 * @param pose Receives 10 floats per node, local space.
 * @example
 * const pose = new Float32Array(compiled.base.length);
 * sampleCompiledClip(compiled, time % compiled.duration, pose);
 */
export function sampleCompiledClip(clip: CompiledClip, time: number, pose: Float32Array): void {
  locateFrame(located, 0, clip, time);
  sampleFrames(clip, located, 0, pose);
}

/**
 * Samples a compiled clip between two frames, as {@link sampleCompiledClip}. Takes the result of {@link locateFrame} at `o` instead of a time,
 * since the engine boxes a number that it passes to a function of this size.
 */
export function sampleFrames(clip: CompiledClip, frame: Float64Array, o: number, pose: Float32Array): void {
  const { frames, frameStride, rotated, translated, scaled } = clip;
  const t = frame[o + 1];
  pose.set(clip.base);
  let a = frame[o] * frameStride;
  const step = clip.frameCount > 1 ? frameStride : 0;
  for (let k = 0; k < rotated.length; k++, a += CHANNEL_STRIDE) {
    const b = a + step;
    const x = frames[a] + t * (frames[b] - frames[a]);
    const y = frames[a + 1] + t * (frames[b + 1] - frames[a + 1]);
    const z = frames[a + 2] + t * (frames[b + 2] - frames[a + 2]);
    const w = frames[a + 3] + t * (frames[b + 3] - frames[a + 3]);
    const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    const at = rotated[k] * POSE_STRIDE + PATH_OFFSET.rotation;
    pose[at] = x * factor;
    pose[at + 1] = y * factor;
    pose[at + 2] = z * factor;
    pose[at + 3] = w * factor;
  }
  for (let k = 0; k < translated.length; k++, a += CHANNEL_STRIDE) {
    lerp3(pose, translated[k] * POSE_STRIDE + PATH_OFFSET.translation, frames, a, a + step, t);
  }
  for (let k = 0; k < scaled.length; k++, a += CHANNEL_STRIDE) {
    lerp3(pose, scaled[k] * POSE_STRIDE + PATH_OFFSET.scale, frames, a, a + step, t);
  }
}

function lerp3(out: Float32Array, o: number, values: Float32Array, a: number, b: number, t: number): void {
  out[o] = values[a] + t * (values[b] - values[a]);
  out[o + 1] = values[a + 1] + t * (values[b + 1] - values[a + 1]);
  out[o + 2] = values[a + 2] + t * (values[b + 2] - values[a + 2]);
}
