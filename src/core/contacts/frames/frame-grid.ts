import type { Clip } from '../../animation/clip.ts';
import { frameLimitOf, frameTimeOf, startOfMotion } from '../../animation/frame-times.ts';
import type { FrameGrid } from './character-frames.ts';

/** Fewest frames per second: between keys further apart, the rotations of hip and knee, interpolated one by one, move a planted foot. */
const LEAST_RATE = 48;
/** Clips of damaged files can be shorter than any motion, in seconds. */
const SHORTEST = 1e-6;
const MOST_RATE = 240;

/**
 * Chooses the frames for a clip: those of its keys, more where they are far apart. They begin with the first key that moves something: the first pose, held until
 * then (a clip that begins in frame 1, or at its place on a timeline), is no pause of the motion, and a walk loop remains a loop.
 */
export function frameGridOf(clip: Clip): FrameGrid {
  const start = startOfMotion(clip);
  const duration = clip.duration - start;
  const time = frameTimeOf(clip, start);
  if (time === null || !(duration > SHORTEST)) return { start, count: 1, step: 1 / 60 };
  const rate = 1 / time;
  const limit = frameLimitOf(clip);
  // A whole number of frames per key, also in clips that are too long for the rate that is wanted.
  const perKey = Math.max(1, Math.min(Math.ceil(LEAST_RATE / rate), Math.floor(limit / (duration * rate))));
  const intervals = Math.min(limit, Math.max(1, Math.round(duration * Math.min(rate * perKey, MOST_RATE))));
  return { start, count: intervals + 1, step: duration / intervals };
}
