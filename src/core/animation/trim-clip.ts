import type { Floats } from '../math/floats.ts';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from './clip.ts';
import { holdUntil } from './hold-track.ts';
import { trimKeys } from './trim-keys.ts';

/** A part of a motion, seconds; `from` < `to`, but for a motion of no duration. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The part of a motion of `duration` seconds from one moment to another; without `from` from its start, without `to` (or with one
 * after the end) until its end. Both rounded to float32, in which files keep times, so that 0.3 is the key that a file has at 0.3.
 * RangeError for moments that are no numbers or negative, for a start at or after the end of the motion, and for an end at or
 * before the start.
 */
export function timeRange(duration: number, from: number | undefined, to: number | undefined): TimeRange {
  for (const [name, time] of Object.entries({ start: from, end: to })) {
    if (time !== undefined && !(time >= 0)) {
      throw new RangeError(`The ${name} of the cut is ${time}; expected seconds, 0 or more.`);
    }
  }
  const begin = from === undefined ? 0 : Math.fround(from);
  const end = to === undefined ? duration : Math.min(Math.fround(to), duration);
  if (begin > 0 && begin >= duration) {
    throw new RangeError(`The cut starts at ${from} s, the motion lasts ${duration} s; start before its end.`);
  }
  if (to !== undefined && !(Math.fround(to) > begin)) {
    throw new RangeError(`The cut goes from ${from ?? 0} s to ${to} s; expected an end after the start.`);
  }
  return { from: begin, to: end };
}

function areEqual(a: Floats, b: Floats): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

/** Tracks cut out of tracks; those that shared their times go on to do so, for files store shared times once. */
function cutTracks(tracks: readonly Track[], { from, to }: TimeRange): Track[] {
  const done = new Map<Floats, Floats>();
  return tracks.map((track) => {
    const cut = trimKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', from, to);
    const known = done.get(track.times);
    if (known === undefined) done.set(track.times, cut.times);
    const times = known !== undefined && areEqual(known, cut.times) ? known : cut.times;
    return { ...track, ...cut, times };
  });
}

/** The part of a clip in a range that need not lie within it: what the clip shows there. */
export function cutClip(clip: Clip, range: TimeRange): Clip {
  const { from, to } = range;
  if (from <= 0 && to >= clip.duration) return clip;
  const duration = Math.max(0, Math.min(to, clip.duration) - from);
  const tracks = cutTracks(clip.tracks, range);
  // A motion that rests at its end ends when it did.
  if (tracks.length > 0 && lastKeyTime(tracks) < duration) tracks[0] = holdUntil(tracks[0], duration);
  return { ...clip, duration, tracks };
}

/**
 * The clip from one moment to another (seconds; see {@link timeRange} for open ends and RangeErrors), which starts at 0 then. It
 * shows at every time what the whole clip shows `from` seconds later; keys at the cuts are exact, of rotation splines to
 * 1e-7 rad (see {@link trimKeys}).
 */
export function trimClip(clip: Clip, from?: number, to?: number): Clip {
  return cutClip(clip, timeRange(clip.duration, from, to));
}
