import type { Floats } from '../math/floats.ts';
import { PATH_WIDTH, type Track } from './clip.ts';

function isEqual(values: Floats, i: number, j: number, width: number, sign: 1 | -1): boolean {
  for (let c = 0; c < width; c++) if (values[i + c] !== sign * values[j + c]) return false;
  return true;
}

/**
 * Returns whether a track has the same value at all times. Its values must be exactly equal, apart from the sign of STEP and LINEAR
 * quaternions. All tangents of a CUBICSPLINE must be 0, except for the unused first in-tangent and last out-tangent.
 *
 * @param track the track.
 * @returns true for a constant track; also for a track with one key or none.
 */
export function isConstantTrack(track: Track): boolean {
  const { values, path, interpolation } = track;
  const width = PATH_WIDTH[path];
  const isCubic = interpolation === 'CUBICSPLINE';
  const stride = isCubic ? 3 * width : width;
  const first = isCubic ? width : 0;
  const keyCount = track.times.length;
  for (let key = 1; key < keyCount; key++) {
    const at = key * stride + first;
    const isSame =
      isEqual(values, first, at, width, 1) ||
      (path === 'rotation' && !isCubic && isEqual(values, first, at, width, -1));
    if (!isSame) return false;
    if (!isCubic) continue;
    for (let c = 0; c < width; c++) {
      if (values[at - 2 * width + c] !== 0 || values[at - width + c] !== 0) return false;
    }
  }
  return true;
}
