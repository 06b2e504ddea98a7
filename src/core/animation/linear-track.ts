/** Converts tracks to LINEAR keys, for players and formats that have no other interpolation. */
import type { Skeleton } from '../skeleton/skeleton.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { resampleFunction } from './resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from './resample-tolerance.ts';
import { sampleTrack } from './sample.ts';
import { sampleWorldRotations, worldErrorBelow } from './world-error.ts';

/** Greatest error of a world rotation, radians: 0.01°, less a tenth for times that are not checked. */
const WORLD_TOLERANCE = 0.9 * 2 * ROTATION_TOLERANCE;
/** Rounds of tightening. Two are enough unless an error does not fall with the tolerance. */
const ROUNDS = 4;
/** Keys that a track gets at most: damaged curves would need many more. */
const EXTRA_KEYS = 4096;
const KEYS_PER_KEY = 2;
/** Part of the allowed error that a tightened tolerance aims at: closer to 1 it takes more rounds, for hardly fewer keys. */
const AIM = 0.85;

/** The number of keys from which intervals of a track are no longer halved. */
function linearLimitOf({ times }: Track): number {
  return EXTRA_KEYS + KEYS_PER_KEY * times.length;
}

/**
 * Converts a track to LINEAR keys. A CUBICSPLINE is resampled to within the tolerance. A STEP track gets a second key before every jump,
 * one float32 step earlier.
 *
 * @param track the track; a LINEAR track is returned as it is.
 * @param tolerance greatest error above 0: radians for rotations, else the length of the difference.
 * @returns the LINEAR track.
 * @throws RangeError for a tolerance that is not above 0.
 */
export function linearTrack(track: Track, tolerance: number): Track {
  const { interpolation, path, times } = track;
  if (interpolation === 'LINEAR') return track;
  let cursor = 0;
  const keys = resampleFunction({
    width: PATH_WIDTH[path],
    isRotation: path === 'rotation',
    keyTimes: times,
    ...(interpolation === 'STEP' ? { stepTimes: times } : {}),
    tolerance,
    keyLimit: linearLimitOf(track),
    evaluate: (time, out, o) => {
      cursor = sampleTrack(track, time, out, o, cursor);
    },
  });
  return { ...track, interpolation: 'LINEAR', times: keys.times, values: keys.values };
}

/**
 * Converts tracks to LINEAR keys. STEP tracks keep their jumps. CUBICSPLINE tracks are resampled: every rotation within 0.005°, and all
 * rotations of a chain together within 0.01° of the world rotation. Errors along a chain rarely add up in one direction, so world
 * rotations are compared, and only the tracks of chains that exceed the limit get more keys.
 *
 * @param skeleton the animated skeleton.
 * @param tracks valid tracks of one clip.
 * @param size size that the tolerance of translations is relative to, in the unit of the skeleton.
 * @returns one track per track; LINEAR tracks are returned as they are.
 */
export function linearTracks(skeleton: Skeleton, tracks: readonly Track[], size: number): Track[] {
  const tolerances = tracks.map(({ path }) => (path === 'rotation' ? ROTATION_TOLERANCE : RELATIVE_TOLERANCE * size));
  const linear = tracks.map((track, t) => linearTrack(track, tolerances[t]));
  const splines = tracks.flatMap(({ path, interpolation }, t) =>
    path === 'rotation' && interpolation === 'CUBICSPLINE' ? [t] : [],
  );
  if (splines.length === 0) return linear;
  const world = sampleWorldRotations(
    skeleton,
    tracks,
    new Set(splines.map((t) => tracks[t].target)),
    Math.max(...splines.map((t) => linear[t].times.length)),
  );
  for (let round = 0; round < ROUNDS; round++) {
    // More keys in other tracks would not make up for a track that has as many as it may.
    const improvable = splines.filter((t) => linear[t].times.length < linearLimitOf(tracks[t]));
    const worst = worldErrorBelow(skeleton, world, new Map(improvable.map((t) => [tracks[t].target, linear[t]])));
    const inaccurate = improvable.filter((t) => worst[tracks[t].target] > WORLD_TOLERANCE);
    if (inaccurate.length === 0) break;
    for (const t of inaccurate) {
      tolerances[t] *= (AIM * WORLD_TOLERANCE) / worst[tracks[t].target];
      linear[t] = linearTrack(tracks[t], tolerances[t]);
    }
  }
  return linear;
}
