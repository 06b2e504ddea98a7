import { areEqualFloats, type Floats } from '../math/floats.ts';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from './clip.ts';
import { extendToTime } from './extend-track.ts';
import { trimKeys } from './trim-keys.ts';

/** A part of a clip; `from` < `to`, except for a clip of duration 0. */
interface TimeRange {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds. */
  readonly to: number;
}

/**
 * Resolves the start and the end of a cut. Both are rounded to float32, as key times in files, so that 0.3 matches a key at 0.3. They are the start
 * and the end of the clip by default; a later `to` is its end. Throws RangeError for a negative or invalid time, for a start at or after the end of
 * the clip, and for an end at or before the start.
 */
export function timeRange(duration: number, from: number | undefined, to: number | undefined): TimeRange {
  for (const [name, time] of Object.entries({ start: from, end: to })) {
    if (time !== undefined && !(time >= 0)) {
      throw new RangeError(`The ${name} of the cut is ${time}; expected 0 seconds or more.`);
    }
  }
  const begin = from === undefined ? 0 : Math.fround(from);
  const end = to === undefined ? duration : Math.min(Math.fround(to), duration);
  if (begin > 0 && begin >= duration) {
    throw new RangeError(
      `The cut starts at ${from} s, but the motion lasts ${Number(duration.toFixed(3))} s. Choose an earlier start.`,
    );
  }
  if (to !== undefined && !(Math.fround(to) > begin)) {
    throw new RangeError(`The cut is from ${from ?? 0} s to ${to} s; expected an end after the start.`);
  }
  return { from: begin, to: end };
}

/** Cuts tracks. Tracks that share their times continue to share them, because files store shared times once. */
function cutTracks(tracks: readonly Track[], { from, to }: TimeRange): Track[] {
  const done = new Map<Floats, Floats>();
  return tracks.map((track) => {
    const cut = trimKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', from, to);
    const known = done.get(track.times);
    if (known === undefined) done.set(track.times, cut.times);
    const times = known !== undefined && areEqualFloats(known, cut.times) ? known : cut.times;
    return { ...track, ...cut, times };
  });
}

/** Cuts a clip to a range, which may exceed the clip. */
export function cutClip(clip: Clip, range: TimeRange): Clip {
  const { from, to } = range;
  if (from <= 0 && to >= clip.duration) return clip;
  const duration = Math.max(0, Math.min(to, clip.duration) - from);
  const tracks = cutTracks(clip.tracks, range);
  // A motion that is constant at its end keeps its duration.
  if (tracks.length > 0 && lastKeyTime(tracks) < duration) tracks[0] = extendToTime(tracks[0], duration);
  const plants = clip.plants
    ?.map((plant) => ({ ...plant, from: Math.max(0, plant.from - from), to: Math.min(duration, plant.to - from) }))
    .filter((plant) => plant.from <= plant.to);
  const keyTimes = clip.keyTimes?.filter((time) => time >= from && time <= to).map((time) => time - from);
  return {
    ...clip,
    duration,
    tracks,
    ...(keyTimes === undefined ? {} : { keyTimes }),
    ...(plants === undefined ? {} : { plants }),
  };
}

/**
 * Trims a clip to the part between two times. The result at time t equals the clip at time `from` + t: exactly, except for rotation
 * splines, which are accurate to 1e-7 radians.
 *
 * @param clip The clip; it is not changed.
 * @param from Start, seconds; the start of the clip by default.
 * @param to End, seconds; the end of the clip by default, and when it is later.
 * @returns The trimmed clip, starting at 0.
 * @throws RangeError for a negative or invalid time, for a start at or after the end of the clip, and for an end at or before the start.
 * @example
 * const secondHalf = trimClip(clip, clip.duration / 2);
 */
export function trimClip(clip: Clip, from?: number, to?: number): Clip {
  return cutClip(clip, timeRange(clip.duration, from, to));
}
