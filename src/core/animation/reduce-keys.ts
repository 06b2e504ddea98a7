import type { Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from './clip.ts';
import { decimateKeys, pickKeys } from './decimate-keys.ts';
import { extendToTime } from './extend-track.ts';
import { isConstantTrack } from './is-constant-track.ts';
import { type JointTolerances, jointTolerances } from './joint-tolerances.ts';
import { unionTimes } from './resample.ts';
import { createKeyReduction, type KeyReduction, reducedTrack, restoreKeys } from './restore-keys.ts';
import { sampleClip } from './sample.ts';

/** Fraction of its own tolerance that each track may use at first: errors of a chain add up, but rarely all in one direction. */
const TRACK_FRACTION = 0.7;
/** Greatest time between checks, seconds; a longer gap between keys is divided into at most {@link MOST_POINTS} parts. */
const CHECK_INTERVAL = 0.01;
const MOST_POINTS = 16;
/** Gap between key times below which there is no check between them, seconds. */
const SHORT_GAP = 0.001;
/** Greatest number of node checks (nodes × times) in one round: some seconds of work. */
const MOST_CHECKS = 1e7;

/**
 * Removes redundant keys of a clip within an angular tolerance. The error of every joint, in model space, is at most that of rotating
 * the whole chain from the hips to the joint by `degrees`: tan(`degrees`) times the length of the chain, and near the hips at least
 * tan(`degrees`) times the length of their own bone. The limit also holds for bone tips, and for points beside the joint, which show twist.
 * The tip of a leaf is as far from it as the leaf from its parent.
 *
 * Remaining keys keep their value, interpolation and tangents. A STEP key is removed when it does not change the value. A track that is
 * constant within the tolerance keeps one key. The duration stays.
 *
 * The whole skeleton is checked at all key times and every 0.01 s between them; keys are restored where the tolerance is exceeded. For
 * very long clips with too many such times, each track gets a fraction of the tolerance such that a whole chain cannot exceed it.
 *
 * @param skeleton Skeleton of the clip.
 * @param clip a valid clip; it is not changed.
 * @param degrees Angular tolerance, above 0 and below 45 degrees.
 * @returns The clip with fewer keys.
 * @throws RangeError for a tolerance out of range.
 * @example
 * const small = reduceKeys(skeleton, clip, 1);
 */
export function reduceKeys(skeleton: Skeleton, clip: Clip, degrees: number): Clip {
  if (!(degrees > 0 && degrees < 45)) {
    throw new RangeError(`The tolerance is ${degrees}°; expected an angle above 0° and below 45°.`);
  }
  const moving = clip.tracks.filter((track) => !isConstantTrack(track));
  const tolerances = jointTolerances(skeleton, moving, Math.tan((degrees * Math.PI) / 180));
  const times = checkTimes(moving);
  const step = Math.ceil((times.length * skeleton.parents.length) / MOST_CHECKS);
  const fraction = step > 1 ? 1 / mostInChain(skeleton.parents, moving) : TRACK_FRACTION;
  const reductions = moving.map((track) => decimated(track, tolerances, fraction));
  const checked = times.filter((_, k) => k % step === 0);
  // Constant tracks are part of the base pose; all other tracks are reduced.
  const base = Float64Array.from(skeleton.rest);
  sampleClip(clip, 0, base);
  restoreKeys({ ...skeleton, rest: base }, { ...clip, tracks: moving }, reductions, tolerances, checked);
  const done = new Map(reductions.map((reduction) => [reduction.track, reducedTrack(reduction)]));
  const tracks = clip.tracks.map((track) => done.get(track) ?? firstKey(track));
  return { ...clip, tracks: withSameEnd(tracks, clip.tracks) };
}

/** Returns the greatest number of tracks on a path from a node to its root. */
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

function decimated(track: Track, tolerances: JointTolerances, fraction: number): KeyReduction {
  const { target, path } = track;
  const kept = decimateKeys(track, PATH_WIDTH[path], path === 'rotation', fraction * tolerances[path][target]);
  return createKeyReduction(track, kept);
}

/** Reduces a constant track to its first key. */
function firstKey(track: Track): Track {
  const kept = new Uint8Array(track.times.length);
  kept[0] = 1;
  return kept.length < 2 ? track : pickKeys(track, PATH_WIDTH[track.path], kept);
}

/** Extends one track so that the last key time stays. */
function withSameEnd(tracks: Track[], before: readonly Track[]): Track[] {
  const end = lastKeyTime(before);
  if (!(lastKeyTime(tracks) < end)) return tracks;
  const longest = before.findIndex(({ times }) => times[times.length - 1] === end);
  return tracks.map((track, k) => (k === longest ? extendToTime(track, end) : track));
}

/** Returns the times at which the skeleton is checked: all key times, and times between them. */
function checkTimes(tracks: readonly Track[]): Float64Array {
  const keyTimes = unionTimes(tracks.map(({ times }) => times));
  const times: number[] = [];
  for (let key = 0; key < keyTimes.length; key++) {
    times.push(keyTimes[key]);
    if (key + 1 === keyTimes.length) break;
    const gap = keyTimes[key + 1] - keyTimes[key];
    const parts = gap < SHORT_GAP ? 1 : Math.min(MOST_POINTS, Math.max(2, Math.ceil(gap / CHECK_INTERVAL)));
    for (let part = 1; part < parts; part++) times.push(keyTimes[key] + (gap * part) / parts);
  }
  return Float64Array.from(times);
}
