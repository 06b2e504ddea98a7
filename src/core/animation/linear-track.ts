import { PATH_WIDTH, type Track } from './clip.ts';
import { resampleFunction } from './resample.ts';
import { sampleTrack } from './sample.ts';

/**
 * Converts a track to LINEAR keys, for players that support no other interpolation. A CUBICSPLINE is resampled to within the tolerance. A
 * STEP track gets a second key before every jump, one float32 step earlier.
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
    evaluate: (time, out, o) => {
      cursor = sampleTrack(track, time, out, o, cursor);
    },
  });
  return { ...track, interpolation: 'LINEAR', times: keys.times, values: keys.values };
}
