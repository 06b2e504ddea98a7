import { PATH_WIDTH, type Track } from './clip.ts';

/** The track with one more key at `time`, after its last, that has the value of the last. A spline holds it without overshooting. */
export function holdUntil(track: Track, time: number): Track {
  const width = PATH_WIDTH[track.path];
  const isCubic = track.interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const length = track.values.length;
  const times = new Float64Array(track.times.length + 1);
  times.set(track.times);
  times[track.times.length] = time;
  const values = new Float64Array(length + stride);
  values.set(track.values);
  const last = length - stride;
  if (isCubic) {
    values.fill(0, last + 2 * width, length);
    values.set(track.values.subarray(last + width, last + 2 * width), length + width);
  } else {
    values.set(track.values.subarray(last, length), length);
  }
  return { ...track, times, values };
}
