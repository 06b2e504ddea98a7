/** Fewer keys, no tip of the body further off than promised: keys are left out track by track, then the whole body is watched. */

import type { Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from './clip.ts';
import { isConstantTrack } from './constant.ts';
import { holdTips, reduced, type Thinning, thinningOf } from './hold-tips.ts';
import { holdUntil } from './hold-track.ts';
import { unionTimes } from './resample.ts';
import { sampleClip } from './sample.ts';
import { pickKeys, thinKeys } from './thin-keys.ts';
import { type TipTolerance, tipTolerance } from './tip-tolerance.ts';

/** Part of its own tolerance that each track may use at first: errors of a chain add up, but seldom all one way. */
const SHARE = 0.7;
/** Seconds between moments at which the body is looked at, at most, but for pauses that are longer than {@link MOST_POINTS} of them. */
const LOOK_EVERY = 0.01;
const MOST_POINTS = 16;
/** Key times closer than this have no moment between them. */
const SHORT_GAP = 0.001;
/** Nodes times moments that are looked at in a round, at most: some seconds. */
const MOST_LOOKS = 1e7;
/**
 * The clip with as few of its keys as keep every tip within a tolerance: at any time no joint, no tip of a bone and no point as far beside
 * the joint (so that twist counts) is further off, in model space, than tan(`degrees`) times the length of the chain from the root of
 * motion, the hips, to it, as if the whole chain had turned by `degrees`. Near the hips themselves the length of their own bone counts. A
 * tip behind a leaf is as far from it as the leaf from its parent.
 *
 * Keys that stay are as they were, with their interpolation and tangents; of STEP keys only those go that change nothing. A track that
 * holds still within the tolerance keeps one key. The duration stays. Held to by looking at the whole body at all key times and between them
 * (every hundredth of a second), and putting keys back where it is missed; where that would be too many moments (tens of minutes, or
 * long tracks that share no key times), every track gets so small a part of the tolerance that all of a chain together cannot miss it.
 * RangeError for degrees that are not above 0 and below 45.
 */
export function reduceKeys(skeleton: Skeleton, clip: Clip, degrees: number): Clip {
  if (!(degrees > 0 && degrees < 45)) {
    throw new RangeError(`The tolerance is ${degrees}°; expected an angle above 0 and below 45.`);
  }
  const moving = clip.tracks.filter((track) => !isConstantTrack(track));
  const tolerance = tipTolerance(skeleton, moving, Math.tan((degrees * Math.PI) / 180));
  const moments = momentsOf(moving);
  const step = Math.ceil((moments.length * skeleton.parents.length) / MOST_LOOKS);
  const share = step > 1 ? 1 / mostInChain(skeleton.parents, moving) : SHARE;
  const thinnings = moving.map((track) => thinned(track, tolerance, share));
  const looked = moments.filter((_, m) => m % step === 0);
  // Where constant tracks put the nodes that they hold; all others move.
  const base = Float64Array.from(skeleton.rest);
  sampleClip(clip, 0, base);
  holdTips({ ...skeleton, rest: base }, { ...clip, tracks: moving }, thinnings, tolerance, looked);
  const done = new Map(thinnings.map((thinning) => [thinning.track, reduced(thinning)]));
  const tracks = clip.tracks.map((track) => done.get(track) ?? firstKey(track));
  return { ...clip, tracks: lastingAsBefore(tracks, clip.tracks) };
}

/** The most tracks on the way from a node up to its root. */
function mostInChain(parents: Int32Array, tracks: readonly Track[]): number {
  const counts = new Int32Array(parents.length);
  for (const { target } of tracks) counts[target]++;
  let most = 1;
  for (let node = 0; node < parents.length; node++) {
    if (parents[node] >= 0) counts[node] += counts[parents[node]];
    most = Math.max(most, counts[node]);
  }
  return most;
}

function thinned(track: Track, { turn, move, stretch }: TipTolerance, share: number): Thinning {
  const { target, path } = track;
  const own = path === 'rotation' ? turn[target] : path === 'translation' ? move[target] : stretch[target];
  const kept = thinKeys(track, PATH_WIDTH[path], path === 'rotation', share * own);
  return thinningOf(track, kept);
}

/** A track that never moves, with one key. */
function firstKey(track: Track): Track {
  const kept = new Uint8Array(track.times.length);
  kept[0] = 1;
  return kept.length < 2 ? track : pickKeys(track, PATH_WIDTH[track.path], kept);
}

/** The tracks, one of which ends when the last one did before. */
function lastingAsBefore(tracks: Track[], before: readonly Track[]): Track[] {
  const end = lastKeyTime(before);
  if (!(lastKeyTime(tracks) < end)) return tracks;
  const longest = before.findIndex(({ times }) => times[times.length - 1] === end);
  return tracks.map((track, k) => (k === longest ? holdUntil(track, end) : track));
}

/** Moments at which the body is looked at: all key times, and points between them. */
function momentsOf(tracks: readonly Track[]): Float64Array {
  const keyTimes = unionTimes(tracks.map(({ times }) => times));
  const moments: number[] = [];
  for (let key = 0; key < keyTimes.length; key++) {
    moments.push(keyTimes[key]);
    if (key + 1 === keyTimes.length) break;
    const gap = keyTimes[key + 1] - keyTimes[key];
    const parts = gap < SHORT_GAP ? 1 : Math.min(MOST_POINTS, Math.max(2, Math.ceil(gap / LOOK_EVERY)));
    for (let part = 1; part < parts; part++) moments.push(keyTimes[key] + (gap * part) / parts);
  }
  return Float64Array.from(moments);
}
