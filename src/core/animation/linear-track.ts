/** Converts a track to LINEAR keys by itself. */
import type { Floats } from '../math/floats.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { resampleFunction } from './resample.ts';
import { sampleTrack } from './sample.ts';

/** Keys that a track gets at most: damaged curves would need many more. */
const EXTRA_KEYS = 4096;
const KEYS_PER_KEY = 8;

/**
 * Converts a track to LINEAR keys: those at its start times, and more where it would be off between them. A STEP track gets a second key before every jump, one
 * float32 step earlier.
 *
 * @param tolerance Greatest error above 0: radians for rotations, else the length of the difference.
 * @param starts Times that need a key, seconds, ascending; all of the track by default.
 * @throws RangeError for a tolerance that is not above 0.
 */
export function linearTrack(track: Track, tolerance: number, starts: Floats = track.times): Track {
  const { interpolation, path } = track;
  if (interpolation === 'LINEAR' && starts.length === track.times.length) return track;
  let cursor = 0;
  const keys = resampleFunction({
    width: PATH_WIDTH[path],
    isRotation: path === 'rotation',
    keyTimes: starts,
    ...(interpolation === 'STEP' ? { stepTimes: starts } : {}),
    tolerance,
    keyLimit: EXTRA_KEYS + KEYS_PER_KEY * starts.length,
    evaluate: (time, out, o) => {
      cursor = sampleTrack(track, time, out, o, cursor);
    },
  });
  return { ...track, interpolation: 'LINEAR', times: keys.times, values: keys.values };
}
