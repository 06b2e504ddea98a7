import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { holdUntil } from './hold-track.ts';
import { linearTrack } from './linear-track.ts';
import { sampleTrack } from './sample.ts';

/** Radians that LINEAR keys may miss a rotation spline: 0.005°, as in retargeting. */
const SPLINE_TOLERANCE = (0.005 * Math.PI) / 180;

/** The track with a key at 0 that has the value of its first. A spline stays at it without overshooting. */
function heldFromStart(track: Track): Track {
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

/** The track with keys at both ends of a clip: what is added to its values then reaches from end to end. */
function coverClip(track: Track, duration: number): Track {
  const started = track.times[0] > 0 ? heldFromStart(track) : track;
  return started.times[started.times.length - 1] < duration ? holdUntil(started, duration) : started;
}

/**
 * The track with the value `end` at `duration`, its last moment, and the value it had at 0. What that takes is added in equal shares
 * over the whole time, which is the slowest way: no joint moves faster against what it did than the gap over the duration.
 * Values that are vectors stay what they are, LINEAR, STEP (every key takes its share) or CUBICSPLINE (a spline plus a straight line
 * is a spline); of rotations a CUBICSPLINE becomes LINEAR, within 0.005°.
 */
export function spreadGap(track: Track, end: Floats, duration: number): Track {
  const isRotation = track.path === 'rotation';
  const isSpline = track.interpolation === 'CUBICSPLINE';
  const covered = coverClip(isRotation && isSpline ? linearTrack(track, SPLINE_TOLERANCE) : track, duration);
  return isRotation ? spreadTurn(covered, end, duration) : spreadWay(covered, end, duration);
}

function spreadTurn(track: Track, end: Floats, duration: number): Track {
  const values = Float64Array.from(track.values);
  const gap = new Float64Array(4);
  const share = new Float64Array(4);
  const none = new Float64Array([0, 0, 0, 1]);
  quat.conjugate(gap, 0, values, values.length - 4);
  quat.multiply(gap, 0, gap, 0, end, 0);
  for (let key = 0; key < track.times.length; key++) {
    quat.slerp(share, 0, none, 0, gap, 0, Math.min(1, track.times[key] / duration));
    quat.multiply(values, 4 * key, values, 4 * key, share, 0);
    quat.normalize(values, 4 * key, values, 4 * key);
  }
  return { ...track, values };
}

function spreadWay(track: Track, end: Floats, duration: number): Track {
  const isCubic = track.interpolation === 'CUBICSPLINE';
  const values = Float64Array.from(track.values);
  const last = new Float64Array(3);
  sampleTrack(track, duration, last, 0);
  for (let c = 0; c < 3; c++) {
    const gap = end[c] - last[c];
    for (let key = 0; key < track.times.length; key++) {
      const at = isCubic ? 9 * key + 3 + c : 3 * key + c;
      values[at] += gap * Math.min(1, track.times[key] / duration);
      if (!isCubic) continue;
      values[at - 3] += gap / duration;
      values[at + 3] += gap / duration;
    }
  }
  return { ...track, values };
}
