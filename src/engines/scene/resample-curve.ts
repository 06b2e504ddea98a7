import type { Track, TrackPath } from '../../core/animation/clip.ts';
import { resampleFunction } from '../../core/animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../../core/animation/resample-tolerance.ts';
import type { Floats } from '../../core/math/floats.ts';

/**
 * Resamples a curve to a LINEAR track, with an error of at most 0.005° for rotations and 1e-5 of the largest value otherwise. `times`: seconds. The
 * curve is smooth between them. `evaluate` writes the value at `time` (seconds) to `out` from index `o`: xyzw for rotations, else xyz.
 */
export function resampleCurve(
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
