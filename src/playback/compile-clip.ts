import { type Clip, lastKeyTime, PATH_WIDTH, type Track, type TrackPath } from '../core/animation/clip.ts';
import { frameTimeOf, frameTimes } from '../core/animation/frame-times.ts';
import { isConstantTrack } from '../core/animation/is-constant-track.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../core/animation/resample-tolerance.ts';
import { sampleTrack } from '../core/animation/sample.ts';
import type { Floats } from '../core/math/floats.ts';
import * as quat from '../core/math/quat.ts';
import * as vec3 from '../core/math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../core/skeleton/skeleton.ts';
import { CHANNEL_STRIDE, type CompiledClip } from './compiled-clip.ts';

/** Options of {@link compileClip}. */
interface CompileOptions {
  /** Greatest error of a local rotation, radians; 0.005° by default. Translations and scales follow it: 1e-5 of the size of their values. */
  readonly tolerance?: number;
  /** Frames per second; by default those of the keys, or a multiple of them where the tolerance needs it. */
  readonly frameRate?: number;
}

/** Frames per frame of the source that are tried, in this order. */
const MULTIPLES = [1, 2, 3, 4, 6, 8, 12, 16];
/** Highest frame rate that is tried above the one of the keys, fps: a further doubling shows in no picture. */
const HIGHEST_RATE = 480;
/**
 * Channels that move less than this part of the tolerance are constant: exporters write tracks with rounding noise for every joint. A small part, since
 * the errors of a chain of joints add up.
 */
const STILL = 0.05;
/** Where the difference between nlerp and slerp is greatest: at 0.5 ± 1/√12 of the way. In the middle it is zero, but splines differ there. */
const PROBES = [0.5 - 1 / Math.sqrt(12), 0.5, 0.5 + 1 / Math.sqrt(12)];

interface Channels {
  readonly rotation: Track[];
  readonly translation: Track[];
  readonly scale: Track[];
}

/** Tells whether a track stays within `still` of its first key. The tangents of a spline may move it without a key, so it counts as moving. */
function staysNear(track: Track, first: Float64Array, still: number): boolean {
  if (isConstantTrack(track)) return true;
  if (track.interpolation === 'CUBICSPLINE') return false;
  const { values, path } = track;
  for (let at = 0; at < values.length; at += PATH_WIDTH[path]) {
    const off = path === 'rotation' ? quat.angleBetween(values, at, first, 0) : vec3.distance(values, at, first, 0);
    if (!(off <= still)) return false;
  }
  return true;
}

/** Lists the moving tracks of each path by node, and writes the values of constant ones into `base`. */
function sortChannels(clip: Clip, base: Float32Array, limits: Readonly<Record<TrackPath, number>>): Channels {
  const channels: Channels = { rotation: [], translation: [], scale: [] };
  const value = new Float64Array(4);
  for (const track of clip.tracks) {
    const { path, target } = track;
    if (track.times.length === 0) continue;
    sampleTrack(track, 0, value, 0);
    if (path === 'rotation') quat.normalize(value, 0, value, 0);
    if (staysNear(track, value, STILL * limits[path])) {
      base.set(value.subarray(0, PATH_WIDTH[path]), target * POSE_STRIDE + PATH_OFFSET[path]);
    } else channels[path].push(track);
  }
  for (const list of Object.values(channels)) list.sort((a: Track, b: Track) => a.target - b.target);
  return channels;
}

/** Writes the keys of one channel, in one hemisphere. */
function fillChannel(frames: Float32Array, offset: number, stride: number, track: Track, times: Float64Array): void {
  const value = new Float64Array(4);
  const before = new Float64Array(4);
  let cursor = 0;
  for (let frame = 0; frame < times.length; frame++) {
    cursor = sampleTrack(track, times[frame], value, 0, cursor);
    if (track.path === 'rotation') {
      quat.normalize(value, 0, value, 0);
      if (quat.dot(value, 0, before, 0) < 0) for (let c = 0; c < 4; c++) value[c] = -value[c];
      before.set(value);
    }
    frames.set(value, frame * stride + offset);
  }
}

/** Tells whether a STEP track jumps after `start` and up to `end`. */
function jumps(track: Track, start: number, end: number): boolean {
  return track.interpolation === 'STEP' && track.times.some((time) => time > start && time <= end);
}

/** Measures the greatest error of a channel between its frames; stops as soon as it exceeds `limit`. */
function measureChannel(
  frames: Float32Array,
  offset: number,
  stride: number,
  track: Track,
  times: Float64Array,
  limit: number,
): number {
  const exact = new Float64Array(4);
  const shown = new Float64Array(4);
  let worst = 0;
  let key = 0;
  let cursor = 0;
  for (let frame = 0; frame + 1 < times.length && worst <= limit; frame++) {
    const start = times[frame];
    const end = times[frame + 1];
    if (jumps(track, start, end)) continue;
    const a = frame * stride + offset;
    const measureAt = (time: number): void => {
      const t = (time - start) / (end - start);
      cursor = sampleTrack(track, time, exact, 0, cursor);
      for (let c = 0; c < CHANNEL_STRIDE; c++) shown[c] = frames[a + c] + t * (frames[a + stride + c] - frames[a + c]);
      if (track.path === 'rotation') {
        quat.normalize(shown, 0, shown, 0);
        quat.normalize(exact, 0, exact, 0);
        worst = Math.max(worst, quat.angleBetween(shown, 0, exact, 0));
      } else worst = Math.max(worst, vec3.distance(shown, 0, exact, 0));
    };
    for (const probe of PROBES) measureAt(start + probe * (end - start));
    for (; key < track.times.length && track.times[key] < end; key++) {
      if (track.times[key] > start) measureAt(track.times[key]);
    }
  }
  return worst;
}

/** Returns the length of the largest value of a path, or 1 if all are zero: what errors of translations and scales are relative to. */
function largestLength(path: 'translation' | 'scale', rest: Floats, { tracks }: Clip): number {
  let size = 0;
  for (let at: number = PATH_OFFSET[path]; at < rest.length; at += POSE_STRIDE) {
    size = Math.max(size, vec3.length(rest, at));
  }
  for (const { values, path: other } of tracks) {
    if (other !== path) continue;
    for (let at = 0; at < values.length; at += PATH_WIDTH[path]) size = Math.max(size, vec3.length(values, at));
  }
  return size > 0 ? size : 1;
}

/** Returns the times of all frames; the last one is `duration`. */
function framesOf(clip: Clip, duration: number, frameRate: number): Float64Array {
  const times = frameTimes(clip, 1 / frameRate);
  if (times.length > 1) times[times.length - 1] = duration;
  return times;
}

function checkArguments(skeleton: Skeleton, clip: Clip, { tolerance, frameRate }: CompileOptions): void {
  for (const [name, value] of Object.entries({ tolerance, frameRate })) {
    if (value !== undefined && !(value > 0 && Number.isFinite(value))) {
      throw new RangeError(`compileClip: ${name} is ${value}. Expected a finite number above 0.`);
    }
  }
  const nodeCount = skeleton.parents.length;
  const unknown = clip.tracks.find(({ target }) => !(target >= 0 && target < nodeCount));
  if (unknown !== undefined) {
    throw new RangeError(
      `compileClip: a track animates node ${unknown.target}, but the skeleton has ${nodeCount} nodes. Pass a clip of this skeleton.`,
    );
  }
}

/**
 * Compiles a clip for playback: keys at uniform times, quaternions in one hemisphere, constant channels apart. The frame rate is that of the keys, or
 * the smallest multiple of it for which linear interpolation is within the tolerance of `sampleClip`. The errors that remain are measured and
 * part of the result: they exceed the tolerance only above 480 frames per second, or where `frameRate` is fixed. The jump of a STEP track takes one
 * frame, which is not part of the measured error. Channels that move by less than a twentieth of the tolerance are constant.
 *
 * @param skeleton The skeleton that the clip animates. Its rest pose gives the values of nodes without tracks.
 * @param clip A valid clip of this skeleton.
 * @param options Tolerance or frame rate.
 * @returns The compiled clip.
 * @throws RangeError If a track animates a node that the skeleton lacks, if an option is not a positive number, or if the clip needs more
 * than 250,000 frames, unless they are at most two per key.
 * @example
 * const walk = compileClip(skeleton, clip);
 * sampleCompiledClip(walk, 0.5, pose);
 */
export function compileClip(skeleton: Skeleton, clip: Clip, options: CompileOptions = {}): CompiledClip {
  checkArguments(skeleton, clip, options);
  const tolerance = options.tolerance ?? ROTATION_TOLERANCE;
  const relative = (tolerance / ROTATION_TOLERANCE) * RELATIVE_TOLERANCE;
  const limits = {
    rotation: tolerance,
    translation: relative * largestLength('translation', skeleton.rest, clip),
    scale: relative * largestLength('scale', skeleton.rest, clip),
  };
  const base = Float32Array.from(skeleton.rest);
  const { rotation, translation, scale } = sortChannels(clip, base, limits);
  const tracks = [...rotation, ...translation, ...scale];
  const duration = Math.max(clip.duration, lastKeyTime(clip.tracks));
  const frameStride = CHANNEL_STRIDE * tracks.length;
  const native = 1 / (frameTimeOf(clip) ?? 1);
  const rates = options.frameRate === undefined ? MULTIPLES.map((multiple) => multiple * native) : [options.frameRate];
  const nodesOf = (list: readonly Track[]): Int32Array => Int32Array.from(list, ({ target }) => target);

  let frameRate = rates[0];
  let times: Float64Array = new Float64Array(1);
  let frames: Float32Array = new Float32Array(0);
  let errors: { rotation: number; translation: number; scale: number } = { rotation: 0, translation: 0, scale: 0 };
  for (let k = 0; tracks.length > 0 && k < rates.length; k++) {
    if (k > 0 && rates[k] > HIGHEST_RATE) break;
    frameRate = rates[k];
    times = framesOf(clip, duration, frameRate);
    frames = new Float32Array(frameStride * times.length);
    errors = { rotation: 0, translation: 0, scale: 0 };
    const isLast = k + 1 === rates.length || rates[k + 1] > HIGHEST_RATE;
    for (const [c, track] of tracks.entries()) fillChannel(frames, CHANNEL_STRIDE * c, frameStride, track, times);
    const isWithin = tracks.every((track, c) => {
      const { path } = track;
      const limit = isLast ? Number.POSITIVE_INFINITY : limits[path];
      const error = measureChannel(frames, CHANNEL_STRIDE * c, frameStride, track, times, limit);
      errors[path] = Math.max(errors[path], error);
      return error <= limit;
    });
    if (isWithin) break;
  }
  return {
    name: clip.name,
    duration,
    frameRate,
    frameCount: times.length,
    base,
    rotated: nodesOf(rotation),
    translated: nodesOf(translation),
    scaled: nodesOf(scale),
    frameStride,
    frames,
    rotationError: errors.rotation,
    translationError: errors.translation,
    scaleError: errors.scale,
  };
}
