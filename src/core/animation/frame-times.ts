/** Frame rates and sample times for formats that store a value for every frame. */
import type { Floats } from '../math/floats.ts';
import { type Clip, lastKeyTime } from './clip.ts';
import { isConstantTrack } from './is-constant-track.ts';
import { unionTimes } from './resample.ts';

/** Frame rates to try, fps, in this order: a rate comes before its multiples, common rates come first. */
const USUAL_RATES = [30, 24, 25, 60, 50, 48, 120, 100, 90];
const FALLBACK_RATE = 60;
/** Greatest distance of uniform keys that are frames, seconds; others are sparse keys. */
const LONGEST_STEP = 0.1;
/** Greatest distance of a key from its frame, as a fraction of the frame time. */
const OFF_GRID = 0.005;
/** Greatest relative error of a frame time that is rounded to an integer frame rate: float32 rounding, less than 0.0333333 in BVH files. */
const WHOLE_RATE = 2e-7;
/** Greatest number of frames: 35 minutes at 120 fps. A damaged duration must not exhaust memory. */
const FRAME_LIMIT = 250_000;
/** Frames per key that a clip may have beyond that limit: its keys fill as much memory. */
const FRAMES_PER_KEY_OF_MANY = 2;
/** Frames that a clip with a handful of keys has at most: 30 s at 50 fps, 100 s at 15. */
const FEW_FRAMES = 1_500;
/** Frames that a clip with sparse keys, such as reduced ones, has at most, and frames per key among them. */
const SPARSE_FRAMES = 6_000;
const FRAMES_PER_SPARSE_KEY = 35;
/** Frames per key that a clip with many keys has at most. */
const FRAMES_PER_KEY = 8;

/** Tests whether a time is that of a frame. Times are those of float32 files: later ones are less exact. */
function isOnGrid(time: number, start: number, step: number, tolerance: number): boolean {
  const since = time - start;
  return Math.abs(since - Math.round(since / step) * step) <= tolerance + time * 2 ** -23;
}

/** Returns the distance of keys that are uniform from the start on, and over most of the time until the end; null for other keys. */
function uniformStep(times: Floats, start: number, end: number): number | null {
  const last = times.length - 1;
  if (last < 1) return null;
  const span = times[last] - times[0];
  const step = span / last;
  if (!(step > 0 && step <= LONGEST_STEP) || span < (end - start) / 2) return null;
  for (let key = 0; key <= last; key++) {
    if (Math.abs(times[key] - times[0] - key * step) > OFF_GRID * step + times[key] * 2 ** -23) return null;
  }
  if (!isOnGrid(times[0], start, step, OFF_GRID * step)) return null;
  const whole = Math.round(1 / step);
  return Math.abs(1 - whole * step) < WHOLE_RATE + (times[0] / span) * 2 ** -23 ? 1 / whole : step;
}

/** Returns the number of keys of the track with the most. */
function mostKeysOf({ tracks }: Clip): number {
  return tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
}

/** Returns the number of frames that a clip with so many keys may have at all. */
function mostFrames(keys: number): number {
  return Math.max(FRAME_LIMIT, FRAMES_PER_KEY_OF_MANY * keys);
}

/** Limits the number of frames of a clip to what its keys can fill, so that a few keys far apart do not fill the memory. */
export function frameLimitOf(clip: Clip): number {
  const keys = mostKeysOf(clip);
  const sparse = Math.min(SPARSE_FRAMES, FRAMES_PER_SPARSE_KEY * keys);
  return Math.min(mostFrames(keys), Math.max(FEW_FRAMES, sparse, FRAMES_PER_KEY * keys)) - 1;
}

/**
 * Determines the frame time of a clip, from the key times of its file where it has them. It is the distance of its keys where they are uniform with
 * at least 10 fps; else that of the first common rate (30, 24, 25, 60, 50, 48, 120, 100, 90 fps) whose frames contain all keys; else that of 60 fps.
 * Clips that would have more frames than {@link frameLimitOf} have longer ones. `start` and `end` are the times of the first and the last frame.
 * Returns seconds per frame; null when all tracks are constant.
 */
export function frameTimeOf(clip: Clip, start = 0, end: number = clip.duration): number | null {
  const keys = frameKeysOf(clip, start, end);
  if (keys === null) return null;
  return Math.max(stepOf(keys, start, end) ?? 1 / FALLBACK_RATE, (end - start) / frameLimitOf(clip));
}

/** Returns the distance of uniform keys, else the frame time of the first common rate that has all keys; null without one. */
function stepOf(keys: Floats, start: number, end: number): number | null {
  const step = uniformStep(keys, start, end);
  if (step !== null) return step;
  const rate = USUAL_RATES.find((fps) => keys.every((time) => isOnGrid(time, start, 1 / fps, OFF_GRID / fps)));
  return rate === undefined ? null : 1 / rate;
}

/**
 * Returns the key times that determine the frame rate of a clip: those of its file if they have one, else those of the track with the closest uniform
 * keys, else those of all tracks. Seconds, ascending; null when all tracks are constant.
 */
export function frameKeysOf({ tracks, keyTimes, duration }: Clip, start = 0, end: number = duration): Floats | null {
  const moving = tracks.filter((track) => !isConstantTrack(track));
  if (moving.length === 0) return null;
  if (keyTimes !== undefined && stepOf(keyTimes, start, end) !== null) return keyTimes;
  const lists = [...new Set(moving.map(({ times }) => times))];
  let least = Number.POSITIVE_INFINITY;
  let closest: Floats | null = null;
  for (const times of lists) {
    const step = uniformStep(times, start, end);
    if (step !== null && step < least) [least, closest] = [step, times];
  }
  return closest ?? unionTimes(lists);
}

/**
 * Computes the sample times of the frames that cover a clip: k · `frameTime`. A key within 0.5 % of a frame replaces the frame's time, so that
 * float32 rounding of key times does not blur values. `frameTime`: seconds per frame, above 0. Returns seconds, one per frame, at least one. Throws
 * RangeError for an invalid frame time, and for more than 250,000 frames, unless they are at most two per key.
 */
export function frameTimes(clip: Clip, frameTime: number): Float64Array {
  if (!(frameTime > 0 && Number.isFinite(frameTime)))
    throw new RangeError(`The frame time is ${frameTime} s; expected a finite number above 0.`);
  const duration = Math.max(clip.duration, lastKeyTime(clip.tracks));
  const count = Math.max(0, Math.ceil(duration / frameTime - OFF_GRID)) + 1;
  const most = mostFrames(mostKeysOf(clip));
  if (!(count <= most))
    throw new RangeError(
      `${duration} s at ${frameTime} s a frame are ${count} frames; expected 1 to ${most}. Choose a longer frame time or a shorter part.`,
    );
  const times = Float64Array.from({ length: count }, (_, frame) => frame * frameTime);
  const offset = new Float64Array(count).fill(OFF_GRID * frameTime);
  for (const list of new Set(clip.tracks.map((track) => track.times))) {
    for (const key of list) {
      const frame = Math.round(key / frameTime);
      const off = Math.abs(key - frame * frameTime);
      if (frame >= count || off > offset[frame]) continue;
      offset[frame] = off;
      times[frame] = key;
    }
  }
  return times;
}
