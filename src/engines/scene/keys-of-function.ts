/** Keys of a curve that only its engine can evaluate. */
import type { Track, TrackPath } from '../../core/animation/clip.ts';
import { resampleFunction } from '../../core/animation/resample.ts';
import type { Floats } from '../../core/math/floats.ts';

/** Resampled rotations stay within this, radians: 0.005°. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
/** Resampled translations and scales stay within this part of the largest value. */
const RELATIVE_TOLERANCE = 1e-5;

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
