import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { difference, resampleFunction, unionTimes } from './resample.ts';
import { sampleTrack } from './sample.ts';
import { isJump } from './separate-times.ts';

/** Keys that a track gets at most: damaged curves would need many more. */
const EXTRA_KEYS = 4096;
const KEYS_PER_KEY = 8;

/**
 * Converts a track to LINEAR keys: its own, and more where it would be off between them. A STEP track gets a second key before every jump, one
 * float32 step earlier. `tolerance`: greatest error above 0: radians for rotations, else the length of the difference. Throws RangeError for a
 * tolerance that is not above 0.
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
    keyLimit: EXTRA_KEYS + KEYS_PER_KEY * times.length,
    evaluate: (time, out, o) => {
      cursor = sampleTrack(track, time, out, o, cursor);
    },
  });
  return { ...track, interpolation: 'LINEAR', times: keys.times, values: keys.values };
}

/** A cubic is nowhere farther from the line between its ends than so many times its larger distance at the thirds. */
const THIRDS_RATIO = 1.3;
/** Parts that an interval is divided into at most. */
const MOST_PARTS = 8;
/** Shortest part relative to its time: two float32 steps. */
const SHORTEST_RATIO = 2 ** -22;

/**
 * Converts a spline to many LINEAR keys, for fitting: at its own keys, at other times within its range, and at so many equal parts between these as
 * a cubic needs, none within a jump. `tolerance`: greatest error above 0: radians for rotations, else the length of the difference. `times`: seconds,
 * ascending.
 */
export function denseTrack(track: Track, tolerance: number, times: Floats): Track {
  const { path } = track;
  const isRotation = path === 'rotation';
  const width = PATH_WIDTH[path];
  const starts = unionTimes([Float32Array.from(track.times), times]);
  const last = starts.length - 1;
  const ends = new Float64Array(width * starts.length);
  const parts = new Uint8Array(starts.length).fill(1);
  const between = new Float64Array(2 * width);
  let count = starts.length;
  let cursor = 0;
  for (let start = 0; start <= last; start++) cursor = sampleTrack(track, starts[start], ends, width * start, cursor);
  cursor = 0;
  for (let start = 0; start < last; start++) {
    if (isJump(starts[start], starts[start + 1])) continue;
    const at = width * start;
    let off = 0;
    for (let third = 1; third < 3; third++) {
      const t = third / 3;
      cursor = sampleTrack(track, starts[start] + t * (starts[start + 1] - starts[start]), between, 0, cursor);
      if (isRotation) quat.slerp(between, width, ends, at, ends, at + width, t);
      else for (let c = 0; c < width; c++) between[width + c] = (1 - t) * ends[at + c] + t * ends[at + width + c];
      off = Math.max(off, difference(between, 0, between, width, width, isRotation));
    }
    const most = Math.min(MOST_PARTS, (starts[start + 1] - starts[start]) / (SHORTEST_RATIO * starts[start + 1]));
    parts[start] = Math.max(1, Math.floor(Math.min(most, Math.ceil(Math.sqrt((THIRDS_RATIO * off) / tolerance)))));
    count += parts[start] - 1;
  }
  const allTimes = new Float64Array(count);
  const values = new Float64Array(width * count);
  cursor = 0;
  for (let start = 0, key = 0; start <= last; start++) {
    for (let part = 0; part < parts[start]; part++, key++) {
      const at = width * key;
      if (part === 0) {
        allTimes[key] = starts[start];
        for (let c = 0; c < width; c++) values[at + c] = ends[width * start + c];
      } else {
        allTimes[key] = Math.fround(starts[start] + (part / parts[start]) * (starts[start + 1] - starts[start]));
        cursor = sampleTrack(track, allTimes[key], values, at, cursor);
      }
      if (isRotation && key > 0 && quat.dot(values, at, values, at - 4) < 0)
        for (let c = at; c < at + 4; c++) values[c] = -values[c];
    }
  }
  return { ...track, interpolation: 'LINEAR', times: allTimes, values };
}
