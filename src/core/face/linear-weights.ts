import type { Keys } from '../animation/clip.ts';
import { resampleFunction } from '../animation/resample.ts';
import { WEIGHT_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleKeys } from '../animation/sample.ts';
import { saturate } from './face-tracks.ts';

/**
 * Converts the keys of one weight to LINEAR keys, clamped to 0…1, with an error of at most 1e-4.
 *
 * @param keys Keys with one float per value.
 */
export function linearWeights(keys: Keys): Keys {
  const { interpolation, times, values } = keys;
  if (interpolation === 'LINEAR' && values.every((value) => saturate(value) === value)) return keys;
  let cursor = 0;
  const linear = resampleFunction({
    width: 1,
    isRotation: false,
    keyTimes: times,
    ...(interpolation === 'STEP' ? { stepTimes: times } : {}),
    tolerance: WEIGHT_TOLERANCE,
    evaluate: (time, out, o) => {
      cursor = sampleKeys(keys, 1, false, time, out, o, cursor);
      out[o] = saturate(out[o]);
    },
  });
  return { interpolation: 'LINEAR', ...linear };
}
