import { type Clip, lastKeyTime } from '../../animation/clip.ts';
import { frameLimitOf, frameTimeOf } from '../../animation/frame-times.ts';
import { isConstantTrack } from '../../animation/is-constant-track.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import type { FrameGrid } from './character-frames.ts';
import { withAncestors } from './pose-nodes.ts';

/** Fewest frames per second: between keys further apart, the rotations of hip and knee, interpolated one by one, move a planted foot. */
const LEAST_RATE = 48;
/** Clips of damaged files can be shorter than any motion, in seconds. */
const SHORTEST = 1e-6;
const MOST_RATE = 240;

/**
 * Chooses the frames for a clip: those of its keys, more where they are far apart. They are those from the first to the last key that moves a bone. A pose that is held
 * before or after (in a clip that begins in frame 1 or at its place on a timeline, or beside a longer track of a camera) is no pause of the motion: a walk loop
 * remains a loop.
 */
export function frameGridOf(clip: Clip, { skeleton, map }: Humanoid): FrameGrid {
  const nodes = new Set(withAncestors(skeleton.parents, map.nodes));
  const moving = clip.tracks.filter((track) => nodes.has(track.target) && !isConstantTrack(track));
  const start = moving.reduce((first, { times }) => Math.min(first, times[0]), clip.duration);
  const end = Math.min(clip.duration, lastKeyTime(moving));
  const duration = end - start;
  const time = frameTimeOf(clip, start, end);
  if (time === null || !(duration > SHORTEST)) return { start: 0, count: 1, step: 1 / 60 };
  const rate = 1 / time;
  const limit = frameLimitOf(clip);
  // A whole number of frames per key, also in clips that are too long for the rate that is wanted.
  const perKey = Math.max(1, Math.min(Math.ceil(LEAST_RATE / rate), Math.floor(limit / (duration * rate))));
  const intervals = Math.min(limit, Math.max(1, Math.round(duration * Math.min(rate * perKey, MOST_RATE))));
  return { start, count: intervals + 1, step: duration / intervals };
}
