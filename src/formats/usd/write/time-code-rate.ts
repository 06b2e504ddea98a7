import { unionTimes } from '../../../core/animation/resample.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';

/** Common frame rates in order of preference. Animation software shows whole frame numbers if all keys are on frames. */
const RATES = [24, 30, 25, 60, 50, 48, 120, 100];
/** Tolerance of a key's frame number, for float32 times. The rounding error of long clips is added. */
const FRAME_TOLERANCE = 1e-3;

/** Chooses the first common frame rate for which all keys are on whole frames; 24, USD's fallback, if no rate fits. */
export function timeCodesPerSecond(animations: readonly NewAnimation[]): number {
  const times = unionTimes(
    animations.flatMap(({ clip: { keyTimes, tracks }, morphs = [] }) => [
      ...(keyTimes === undefined ? tracks.map((track) => track.times) : [keyTimes]),
      ...morphs.map((track) => track.times),
    ]),
  );
  const fits = (rate: number): boolean =>
    times.every((time) => Math.abs(time * rate - Math.round(time * rate)) <= FRAME_TOLERANCE + time * rate * 2 ** -22);
  return RATES.find(fits) ?? 24;
}
