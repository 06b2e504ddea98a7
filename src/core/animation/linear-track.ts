import { PATH_WIDTH, type Track } from './clip.ts';
import { resampleFunction } from './resample.ts';
import { sampleTrack } from './sample.ts';

/**
 * The track with LINEAR keys, for players that know no other. LINEAR tracks come back as they are. A spline gets as many keys as
 * it needs to be within `tolerance` (radians of rotation, else the length of the difference); a STEP track gets a second key right
 * before every jump, one float32 step away. RangeError for a tolerance that is not above 0.
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
