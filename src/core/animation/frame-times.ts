/** Frames for formats that store a value for every frame: at what rate, and when to sample. */

import type { Floats } from '../math/floats.ts';
import { type Clip, lastKeyTime } from './clip.ts';
import { isConstantTrack } from './constant.ts';
import { unionTimes } from './resample.ts';

/** Rates that keys are looked for on, in this order: of those that fit, the most usual one that is no multiple of another. */
const USUAL_RATES = [30, 24, 25, 60, 50, 48, 120, 100, 90];
/** The rate of keys that lie on no grid. */
const FALLBACK_RATE = 60;
/** Uniform keys further apart than this (seconds) are sparse keys, not frames. */
const LONGEST_STEP = 0.1;
/** Keys may be this part of a step off the grid. */
const OFF_GRID = 0.005;
/** Steps this close to one of a whole rate are that: what float32 times make of it. The 0.0333333 of BVH files is not. */
const WHOLE_RATE = 2e-7;
/** Frames at most: 35 minutes at 120 fps. A file with a wild duration must not fill the memory. */
const FRAME_LIMIT = 250_000;

function isOnGrid(time: number, step: number, tolerance: number): boolean {
  return Math.abs(time - Math.round(time / step) * step) <= tolerance + time * 2 ** -23;
}

/** The step of keys that are equally far apart from time 0 on and over most of the duration; null for others. */
function uniformStep(times: Floats, duration: number): number | null {
  const last = times.length - 1;
  if (last < 1) return null;
  const step = (times[last] - times[0]) / last;
  if (!(step > 0 && step <= LONGEST_STEP) || last * step < duration / 2) return null;
  for (let key = 0; key <= last; key++) {
    if (Math.abs(times[key] - times[0] - key * step) > OFF_GRID * step + times[key] * 2 ** -23) return null;
  }
  if (!isOnGrid(times[0], step, OFF_GRID * step)) return null;
  const whole = Math.round(1 / step);
  return Math.abs(1 - whole * step) < WHOLE_RATE ? 1 / whole : step;
}

/**
 * The time from frame to frame that suits a clip, seconds: the step of its keys where they are equally far apart, at least ten a
 * second; else that of the first usual rate (30, 24, 25, 60, 50, 48, 120, 100, 90 fps) on whose frames all keys lie; else that of 60 fps.
 * Null when nothing moves, so that no key says anything.
 */
export function frameTimeOf(clip: Clip): number | null {
  const lists = new Set(clip.tracks.filter((track) => !isConstantTrack(track)).map(({ times }) => times));
  if (lists.size === 0) return null;
  let least = Number.POSITIVE_INFINITY;
  for (const times of lists) least = Math.min(least, uniformStep(times, clip.duration) ?? least);
  if (least < Number.POSITIVE_INFINITY) return least;
  const keys = unionTimes([...lists]);
  const rate = USUAL_RATES.find((fps) => keys.every((time) => isOnGrid(time, 1 / fps, OFF_GRID / fps)));
  return 1 / (rate ?? FALLBACK_RATE);
}

/**
 * The times at which to sample the frames k · `frameTime` that cover a clip, at least one. Where a key lies within a two-hundredth of a
 * frame of one it is that key's time, so that what float32 made of k · `frameTime` blurs nothing. RangeError for a frame time
 * that gives no frames, or too many.
 */
export function frameTimes(clip: Clip, frameTime: number): Float64Array {
  if (!(frameTime > 0 && Number.isFinite(frameTime)))
    throw new RangeError(`The frame time is ${frameTime} s; expected a number above 0.`);
  const duration = Math.max(clip.duration, lastKeyTime(clip.tracks));
  const count = Math.max(0, Math.ceil(duration / frameTime - OFF_GRID)) + 1;
  if (!(count <= FRAME_LIMIT))
    throw new RangeError(`${duration} s at ${frameTime} s a frame are ${count} frames; expected 1 to ${FRAME_LIMIT}.`);
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
