import type { Floats } from '../math/floats.ts';
import { PATH_WIDTH, type Track } from './clip.ts';

/** Tells whether all values of a STEP or LINEAR track are the first one or, for rotations, its negative. Most moving tracks end it at the second key. */
function repeatsFirst(values: Floats, isRotation: boolean): boolean {
  const width = isRotation ? 4 : 3;
  const x = values[0];
  const y = values[1];
  const z = values[2];
  const w = values[3];
  for (let at = width; at < values.length; at += width) {
    const isSame =
      values[at] === x && values[at + 1] === y && values[at + 2] === z && (!isRotation || values[at + 3] === w);
    if (isSame) continue;
    const isNegative =
      isRotation && values[at] === -x && values[at + 1] === -y && values[at + 2] === -z && values[at + 3] === -w;
    if (!isNegative) return false;
  }
  return true;
}

/**
 * Returns whether a track has the same value at all times. Its values must be exactly equal, apart from the sign of STEP and LINEAR
 * quaternions. All tangents of a CUBICSPLINE must be 0, except for the unused first in-tangent and last out-tangent.
 */
export function isConstantTrack(track: Track): boolean {
  const { values, path, interpolation } = track;
  if (interpolation !== 'CUBICSPLINE') return repeatsFirst(values, path === 'rotation');
  const width = PATH_WIDTH[path];
  const stride = 3 * width;
  for (let key = 1; key < track.times.length; key++) {
    const at = key * stride + width;
    for (let c = 0; c < width; c++) {
      if (values[at + c] !== values[width + c]) return false;
      if (values[at - 2 * width + c] !== 0 || values[at - width + c] !== 0) return false;
    }
  }
  return true;
}
