import { isJump } from '../../../core/animation/separate-times.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { type CurveEnd, type Extrapolation, type FbxCurve, SEGMENT } from './fbx-curve.ts';

export interface CurveBreaks {
  /** Lists of times of keys, each ascending. */
  readonly keys: Floats[];
  /** Times of jumps. At such a time the curve already has the new value. */
  readonly steps: number[];
}

/** Returns the next number above a time: the first time with the new value after a jump. */
function justAfter(seconds: number): number {
  return seconds + Math.max(Math.abs(seconds) * Number.EPSILON, Number.MIN_VALUE);
}

function within(ascending: Float64Array, start: number, end: number): Float64Array {
  let [first, last] = [0, ascending.length];
  while (first < last && ascending[first] < start) first++;
  while (last > first && ascending[last - 1] > end) last--;
  return ascending.subarray(first, last);
}

/**
 * Adds the keys and jumps of a curve in a time range, including those of its repetitions. `start`: start of the range, seconds, inclusive. `end`: end
 * of the range, seconds, inclusive. `keys` and `steps` receive the times; jumps are unsorted.
 */
export function addBreaks(curve: FbxCurve, start: number, end: number, { keys, steps }: CurveBreaks): void {
  const { times, values, segments, before, after } = curve;
  const addStep = (time: number): void => {
    if (time >= start && time <= end) steps.push(time);
  };
  for (let key = 0; key < times.length - 1; key++) {
    if (values[key] === values[key + 1]) continue;
    if (segments[key] === SEGMENT.CONSTANT) addStep(times[key + 1]);
    else if (segments[key] === SEGMENT.CONSTANT_NEXT) addStep(justAfter(times[key]));
    else if (isJump(times[key], times[key + 1])) {
      addStep(times[key]);
      addStep(times[key + 1]);
    }
  }
  keys.push(within(times, start, end));
  for (const [side, isBefore] of [
    [before, true],
    [after, false],
  ] as const) {
    const rounds = repetitionsUntil(curve, side, isBefore ? start : end, isBefore);
    // One list for all rounds: there can be thousands, and lists are compared with each other.
    const repeated: number[] = [];
    for (let round = 0; round < rounds; round++) {
      addRepetition(curve, side.extrapolation, round, isBefore, (time, isStep) => {
        if (isStep) addStep(time);
        else repeated.push(time);
      });
    }
    if (repeated.length > 0) keys.push(within(Float64Array.from(repeated).sort(), start, end));
  }
}

/** Counts the keys that the repetitions of a curve have in a time range. `start`: start of the range, seconds. `end`: end of the range, seconds. */
export function repeatedKeyCount(curve: FbxCurve, start: number, end: number): number {
  return (
    curve.times.length *
    (repetitionsUntil(curve, curve.before, start, true) + repetitionsUntil(curve, curve.after, end, false))
  );
}

/** Returns the number of repetitions between the keys and a time outside them. */
function repetitionsUntil(
  { times }: FbxCurve,
  { extrapolation, repetitions }: CurveEnd,
  seconds: number,
  isBefore: boolean,
): number {
  const last = times.length - 1;
  const length = times[last] - times[0];
  if (extrapolation === 'constant' || extrapolation === 'slope' || !(length > 0)) return 0;
  const distance = isBefore ? times[0] - seconds : seconds - times[last];
  return Math.min(repetitions, Math.max(0, Math.ceil(distance / length)));
}

function addRepetition(
  { times, values, segments }: FbxCurve,
  extrapolation: Extrapolation,
  round: number,
  isBefore: boolean,
  add: (time: number, isStep: boolean) => void,
): void {
  const last = times.length - 1;
  const length = times[last] - times[0];
  const runsBack = extrapolation === 'mirror' && round % 2 === 0;
  const start = isBefore ? times[0] - (round + 1) * length : times[last] + round * length;
  for (let key = 0; key <= last; key++) {
    const time = start + (runsBack ? times[last] - times[key] : times[key] - times[0]);
    add(time, false);
    if (key === last) continue;
    const isSmooth = segments[key] === SEGMENT.LINEAR || segments[key] === SEGMENT.CUBIC;
    if (isSmooth && !isJump(times[key], times[key + 1])) continue;
    const next = start + (runsBack ? times[last] - times[key + 1] : times[key + 1] - times[0]);
    // Either side of a jump in a repetition may include its exact time, so both sides are added.
    for (const jump of [time, next]) {
      add(jump, true);
      add(justAfter(jump), true);
    }
  }
  if (extrapolation === 'repeat' && values[0] !== values[last]) {
    add(start, true);
    add(justAfter(start), true);
    add(justAfter(start + length), true);
  }
}
