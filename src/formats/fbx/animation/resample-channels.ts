import type { Keys } from '../../../core/animation/clip.ts';
import { fitKeys } from '../../../core/animation/fit-keys.ts';
import { curveKeyLimit, startTimes, type TimeFunction, unionTimes } from '../../../core/animation/resample.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { addChannelBreaks, curvesOf, type FbxChannel } from './animation-layers.ts';
import type { CurveBreaks } from './curve-breaks.ts';
import type { FbxCurve } from './fbx-curve.ts';
import { noteTrackFault, type TakeWindow, type TrackFaults } from './take-window.ts';

/** Fault of a track beyond the key budget. */
const LEFT_OUT = 'was left out, because the file has more keys than the limit of anyrig. Split the file.';

export interface KeyBudget {
  keysLeft: number;
  /** Keys of curves that may still be evaluated. Each use of a curve counts. */
  readsLeft: number;
  /** Receives the tracks that are left out or inaccurate. */
  readonly trackFaults: TrackFaults;
  /** Receives the key times of the curves of each track: others are added to follow the curves. */
  keyTimes: Float32Array[];
}

/** A function of time that depends on channels, and the tolerance of its keys. */
type ChannelFunction = Pick<TimeFunction, 'width' | 'isRotation' | 'evaluate' | 'errorBound' | 'tolerance'> & {
  readonly channels: readonly FbxChannel[];
};

/**
 * Converts a function of time to keys (see `fitKeys`), and reduces the budget. A CUBICSPLINE key counts as three. Returns the keys; null if nothing
 * is animated or the budget is exhausted.
 */
export function resampleChannels(
  budget: KeyBudget,
  window: TakeWindow,
  { channels, ...source }: ChannelFunction,
  name: string,
): Keys | null {
  if (channels.length === 0) return null;
  const curves = channels.flatMap(curvesOf);
  for (const { times } of curves) budget.readsLeft -= times.length;
  /** A key with many weights counts as several keys. */
  const keyWeight = Math.ceil(source.width / 4);
  const most = Math.floor(budget.keysLeft / keyWeight);
  if (budget.readsLeft < 0 || most <= 0) {
    noteTrackFault(budget.trackFaults, LEFT_OUT, name);
    return null;
  }
  const { keyTimes, stepTimes } = breaksOf(channels, curves, window.end);
  if (keyWeight > 1 && keyTimes.length > most) {
    noteTrackFault(budget.trackFaults, LEFT_OUT, name);
    return null;
  }
  const keyLimit = Math.min(curveKeyLimit(keyTimes), most);
  const timed: TimeFunction = { ...source, keyTimes, stepTimes, keyLimit };
  const starts = startTimes(timed);
  budget.keyTimes.push(starts);
  const keys = fitKeys(timed, starts);
  const isCubic = keys.interpolation === 'CUBICSPLINE';
  budget.keysLeft -= keys.times.length * keyWeight * (isCubic ? 3 : 1);
  budget.readsLeft -= keys.times.length * channels.length;
  if (keys.values.some((value) => !(Math.abs(value) <= FLOAT32_MAX))) {
    noteTrackFault(
      budget.trackFaults,
      'was left out, because it has numbers beyond float32. Correct the values.',
      name,
    );
    return null;
  }
  if (keys.times.length >= keyLimit) {
    const fault =
      'exceeded the key limit and was resampled below target accuracy. Bake it to keys, or shorten the animation.';
    noteTrackFault(budget.trackFaults, fault, name);
  }
  return keys;
}

/** Returns the times of keys and jumps of channels in the clip, and the ends of the range if a curve continues beyond them. */
function breaksOf(
  channels: readonly FbxChannel[],
  curves: readonly FbxCurve[],
  end: number,
): { keyTimes: Float64Array; stepTimes: Float64Array } {
  const breaks: CurveBreaks = { keys: [], steps: [] };
  for (const channel of channels) addChannelBreaks(channel, 0, end, breaks);
  const continuesBefore = curves.some(({ times, before }) => times[0] < 0 || before.extrapolation !== 'constant');
  const continuesAfter = curves.some(
    ({ times, after }) => times[times.length - 1] > end || after.extrapolation !== 'constant',
  );
  if (continuesAfter) breaks.keys.push(Float64Array.of(end));
  const isEmpty = breaks.keys.every(({ length }) => length === 0);
  if (isEmpty || continuesBefore) breaks.keys.push(Float64Array.of(0));
  return {
    keyTimes: unionTimes(breaks.keys),
    stepTimes: unionTimes([Float64Array.from(breaks.steps)]),
  };
}
