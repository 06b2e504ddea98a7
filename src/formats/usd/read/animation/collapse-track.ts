import { PATH_WIDTH, type Track, type TrackPath } from '../../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../../core/animation/is-constant-track.ts';
import * as quat from '../../../../core/math/quat.ts';
import { roundToHalf } from '../../layer/half.ts';

/** Tolerance of "at rest", relative or in radians: track values are float32, rest poses float64. */
const REST_TOLERANCE = 1e-6;

/** Normalizes a quaternion in place. A zero quaternion becomes the identity, as in UsdSkel. `values` contains the quaternion, xyzw. */
export function normalizeRotation(values: Float32Array, at: number): void {
  const length = Math.sqrt(quat.dot(values, at, values, at));
  if (length > 0) for (let c = 0; c < 4; c++) values[at + c] /= length;
  else quat.identity(values, at);
}

/** Collapses a constant track. Returns the track with one key if it is constant, null if it is constantly at rest, else the unchanged track. */
export function collapseConstantTrack(track: Track, rest: Float64Array, restAt: number): Track | null {
  if (!isConstantTrack(track)) return track;
  const { path, times, values } = track;
  if (isRest(path, values, rest, restAt)) return null;
  return { ...track, times: times.slice(0, 1), values: values.slice(0, PATH_WIDTH[path]) };
}

function isRest(path: TrackPath, values: Track['values'], rest: Float64Array, restAt: number): boolean {
  if (path === 'rotation') return quat.angleBetween(values, 0, rest, restAt) <= REST_TOLERANCE;
  const size = Math.max(...[0, 1, 2].map((c) => Math.abs(rest[restAt + c])));
  for (let c = 0; c < 3; c++) {
    const value = rest[restAt + c];
    // SkelAnimation stores scales in half precision.
    const isHalf = path === 'scale' && values[c] === roundToHalf(value);
    if (!isHalf && !(Math.abs(values[c] - value) <= REST_TOLERANCE * size)) return false;
  }
  return true;
}
