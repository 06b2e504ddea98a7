import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import type { Track } from './clip.ts';
import { extendToStart, extendToTime } from './extend-track.ts';
import { fitKeys } from './fit-keys.ts';
import { startTimes, type TimeFunction } from './resample.ts';
import { ROTATION_TOLERANCE } from './resample-tolerance.ts';
import { sampleTrack } from './sample.ts';

/** Extends a track to the whole clip, so that an offset can be distributed from its start to its end. */
function coverClip(track: Track, duration: number): Track {
  const started = track.times[0] > 0 ? extendToStart(track) : track;
  return started.times[started.times.length - 1] < duration ? extendToTime(started, duration) : started;
}

/**
 * Changes the last value of a track and distributes the offset linearly over the whole clip; the first value stays. The added speed is constant,
 * and so as small as possible. Tracks keep their interpolation, except that CUBICSPLINE rotations are resampled within 0.005°, to LINEAR keys where
 * these take less space. `end`: value at `duration`: 3 floats, 4 for rotations (unit quaternion xyzw), local space. `duration`: seconds, above 0;
 * no key is later.
 */
export function distributeOffset(track: Track, end: Floats, duration: number): Track {
  const isRotation = track.path === 'rotation';
  const covered = coverClip(track, duration);
  if (!isRotation) return distributeVector(covered, end, duration);
  const isSpline = track.interpolation === 'CUBICSPLINE';
  return isSpline ? distributeSpline(covered, end, duration) : distributeRotation(covered, end, duration);
}

/** Resamples the product of a spline and the offset, which is not a spline. */
function distributeSpline(track: Track, end: Floats, duration: number): Track {
  const offset = new Float64Array(4);
  const part = new Float64Array(4);
  const identity = new Float64Array([0, 0, 0, 1]);
  sampleTrack(track, duration, offset, 0);
  quat.conjugate(offset, 0, offset, 0);
  quat.multiply(offset, 0, offset, 0, end, 0);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(track, time, out, o);
    quat.slerp(part, 0, identity, 0, offset, 0, Math.min(1, time / duration));
    quat.multiply(out, o, out, o, part, 0);
    quat.normalize(out, o, out, o);
  };
  const product: TimeFunction = {
    width: 4,
    isRotation: true,
    keyTimes: track.times,
    tolerance: ROTATION_TOLERANCE,
    evaluate,
  };
  const keys = fitKeys(product, startTimes(product));
  // float32 may round the last key to a time before the end.
  const closed = coverClip({ ...track, ...keys }, duration);
  const at = closed.values.length - (closed.interpolation === 'CUBICSPLINE' ? 8 : 4);
  const sign = quat.dot(closed.values, at, end, 0) < 0 ? -1 : 1;
  for (let c = 0; c < 4; c++) closed.values[at + c] = sign * end[c];
  return closed;
}

function distributeRotation(track: Track, end: Floats, duration: number): Track {
  const values = Float64Array.from(track.values);
  const offset = new Float64Array(4);
  const part = new Float64Array(4);
  const identity = new Float64Array([0, 0, 0, 1]);
  quat.conjugate(offset, 0, values, values.length - 4);
  quat.multiply(offset, 0, offset, 0, end, 0);
  for (let key = 0; key < track.times.length; key++) {
    quat.slerp(part, 0, identity, 0, offset, 0, Math.min(1, track.times[key] / duration));
    quat.multiply(values, 4 * key, values, 4 * key, part, 0);
    quat.normalize(values, 4 * key, values, 4 * key);
  }
  return { ...track, values };
}

function distributeVector(track: Track, end: Floats, duration: number): Track {
  const isCubic = track.interpolation === 'CUBICSPLINE';
  const values = Float64Array.from(track.values);
  const last = new Float64Array(3);
  sampleTrack(track, duration, last, 0);
  for (let c = 0; c < 3; c++) {
    const offset = end[c] - last[c];
    for (let key = 0; key < track.times.length; key++) {
      const at = isCubic ? 9 * key + 3 + c : 3 * key + c;
      values[at] += offset * Math.min(1, track.times[key] / duration);
      // The sum of a spline and a straight line is a spline: both tangents get the slope of the line.
      if (!isCubic) continue;
      values[at - 3] += offset / duration;
      values[at + 3] += offset / duration;
    }
  }
  return { ...track, values };
}
