import { PATH_WIDTH, type Track } from './clip.ts';

/** Adds a key at time 0 with the value of the first key. A CUBICSPLINE is constant up to the former first key, without overshoot. */
export function extendToStart(track: Track): Track {
  const width = PATH_WIDTH[track.path];
  const isCubic = track.interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const at = isCubic ? width : 0;
  const times = new Float64Array(track.times.length + 1);
  times.set(track.times, 1);
  const values = new Float64Array(track.values.length + stride);
  values.set(track.values, stride);
  values.set(track.values.subarray(at, at + width), at);
  if (isCubic) values.fill(0, stride, stride + width);
  return { ...track, times, values };
}

/**
 * Adds a key after the last one, with the same value. A CUBICSPLINE is constant from the former last key on, without overshoot. `time`: seconds,
 * later than the last key.
 */
export function extendToTime(track: Track, time: number): Track {
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
