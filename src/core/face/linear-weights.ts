import type { Keys } from '../animation/clip.ts';
import { resampleFunction } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import { saturate } from './face-tracks.ts';
import { WEIGHT_TOLERANCE } from './gaze.ts';

/** The keys of one weight as LINEAR ones within 0…1, within a ten-thousandth; the very same where they are so. */
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
