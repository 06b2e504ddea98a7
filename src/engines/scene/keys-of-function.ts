/** Keys of a curve that only its engine can evaluate. */

import type { Track, TrackPath } from '../../core/animation/clip.ts';
import { resampleFunction } from '../../core/animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../../core/animation/resample-tolerance.ts';
import type { Floats } from '../../core/math/floats.ts';

/** A LINEAR track of a curve with keys at `times`, smooth between them, to 0.005° or 1e-5 of the largest number in `values`. */
export function keysOfFunction(
  target: number,
  path: TrackPath,
  times: Floats,
  values: Floats,
  evaluate: (time: number, out: Floats, o: number) => void,
): Track {
  const isRotation = path === 'rotation';
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const tolerance = isRotation ? ROTATION_TOLERANCE : RELATIVE_TOLERANCE * (largest > 0 ? largest : 1);
  const width = isRotation ? 4 : 3;
  const keys = resampleFunction({ width, isRotation, keyTimes: times, tolerance, evaluate });
  return { target, path, interpolation: 'LINEAR', times: keys.times, values: keys.values };
}
