/** Tracks as clips keep them: turns of length 1, one key for what is constant, none for what keeps its rest. */
import { PATH_WIDTH, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../core/animation/constant.ts';
import * as quat from '../../../core/math/quat.ts';
import { roundToHalf } from '../layer/half.ts';

/** What counts as the same as at rest, parts of it and radians: it is float32 on one side, float64 on the other. */
const AT_REST = 1e-6;

/** Makes a quaternion unit; one of zeros, which turns nothing, becomes the identity. */
export function makeUnit(values: Float32Array, at: number): void {
  const length = Math.sqrt(quat.dot(values, at, values, at));
  if (length > 0) for (let c = 0; c < 4; c++) values[at + c] /= length;
  else quat.identity(values, at);
}

/** The track with one key where it is constant; null where it keeps its rest. */
export function settled(track: Track, rest: Float64Array, restAt: number): Track | null {
  if (!isConstantTrack(track)) return track;
  const { path, times, values } = track;
  if (isRest(path, values, rest, restAt)) return null;
  return { ...track, times: times.slice(0, 1), values: values.slice(0, PATH_WIDTH[path]) };
}

function isRest(path: TrackPath, values: Track['values'], rest: Float64Array, restAt: number): boolean {
  if (path === 'rotation') return quat.angleBetween(values, 0, rest, restAt) <= AT_REST;
  const size = Math.max(...[0, 1, 2].map((c) => Math.abs(rest[restAt + c])));
  for (let c = 0; c < 3; c++) {
    const value = rest[restAt + c];
    // Scales of animations are halves.
    const isHalf = path === 'scale' && values[c] === roundToHalf(value);
    if (!isHalf && !(Math.abs(values[c] - value) <= AT_REST * size)) return false;
  }
  return true;
}
