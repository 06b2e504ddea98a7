/** New keys for motions: times on a uniform grid, or as many keys as linear interpolation needs to stay within a tolerance. */
import { float32Below, float32From } from '../math/float32.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';

/** Frames of one grid, at most: 70 minutes at 60 fps. A file with a wild duration must not fill the memory. */
const FRAME_LIMIT = 250_000;

/**
 * The grid `frame / fps` from 0 to `duration` seconds, each time rounded to float32 by itself (no sum that drifts), and
 * `duration` as the last time also where it is off the grid. RangeError for fps or a duration that make no grid.
 */
export function uniformTimes(duration: number, fps: number): Float32Array {
  if (!(fps > 0 && Number.isFinite(fps))) throw new RangeError(`The frame rate is ${fps}; expected a number above 0.`);
  const frames = duration * fps;
  if (!(frames >= 0 && frames <= FRAME_LIMIT)) {
    throw new RangeError(`${duration} s at ${fps} fps are ${frames} frames; expected 0 to ${FRAME_LIMIT}.`);
  }
  const end = Math.fround(duration);
  const times: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const time = Math.fround(frame / fps);
    // A frame closer to the end than a thousandth of a step is the end, and so is one of two that float32 cannot tell apart.
    if (time >= end || frames - frame < 1e-3) break;
    if (times.length === 0 || time > times[times.length - 1]) times.push(time);
  }
  times.push(end);
  return Float32Array.from(times);
}

/** All times of the lists in rising order, each once. */
export function unionTimes(lists: readonly Floats[]): Float64Array {
  const different = [...new Set(lists)];
  const all = new Float64Array(different.reduce((sum, list) => sum + list.length, 0));
  let length = 0;
  for (const list of different) {
    all.set(list, length);
    length += list.length;
  }
  all.sort();
  return all.filter((time, k) => k === 0 || time !== all[k - 1]);
}

/** A function of time that is to become LINEAR keys. */
export interface TimeFunction {
  /** Floats of a value; 4 for rotations. */
  readonly width: number;
  /** Whether values are unit quaternions, interpolated by slerp; else they are interpolated by component. */
  readonly isRotation: boolean;
  /** Times, rising, between which the function is smooth. */
  readonly keyTimes: Floats;
  /** Times, rising, at which it may jump: it has the new value at the very time. */
  readonly stepTimes?: Floats;
  /** Writes the value at a time into `out` at o. Times come in any order. */
  readonly evaluate: (time: number, out: Floats, o: number) => void;
  /** What the keys may miss the function by: radians of rotation, else the length of the difference. Above 0. */
  readonly tolerance: number;
  /** From this number of keys on no interval is halved: the keys may then miss the function by more. No limit by default. */
  readonly keyLimit?: number;
}

/** LINEAR keys: times that are float32 numbers, strictly rising; neighboring quaternions are in one hemisphere. */
export interface LinearKeys {
  readonly times: Float32Array;
  readonly values: Float64Array;
}

/** Points of an interval where the keys are compared with the function. The middle comes first: it fails first. */
const CHECK_POINTS = [0.5, 0.25, 0.75];
/** Between those points the error is a little larger than at them: an S-shaped error peaks at 0.21, 3 % above 0.25. */
const SAFETY = 0.9;
/** Halvings of an interval between two key times, at most. A function that never gets smooth must come to an end. */
const DEPTH_LIMIT = 16;

/** Rotation angle or length of the difference between two values. */
function difference(a: Floats, i: number, b: Floats, j: number, width: number, isRotation: boolean): number {
  if (isRotation) return quat.angleBetween(a, i, b, j);
  let squared = 0;
  for (let c = 0; c < width; c++) squared += (a[i + c] - b[j + c]) ** 2;
  return Math.sqrt(squared);
}

/** The float32 times that keys must be at: the key times, and both sides of every true jump. */
function startTimes({ width, isRotation, keyTimes, stepTimes, evaluate, tolerance }: TimeFunction): Float32Array {
  const times: number[] = Array.from(keyTimes, Math.fround);
  const sides = new Float64Array(2 * width);
  for (const step of stepTimes ?? []) {
    // A key time that float32 rounds down would still have the old value: take the next one up.
    const after = float32From(step);
    const before = float32Below(step);
    times.push(after);
    if (before < 0) continue;
    evaluate(before, sides, 0);
    evaluate(after, sides, width);
    if (difference(sides, 0, sides, width, width, isRotation) > (1 - SAFETY) * tolerance) times.push(before);
  }
  if (times.length === 0) times.push(0);
  const sorted = Float32Array.from(times).sort();
  return sorted.filter((time, k) => k === 0 || time !== sorted[k - 1]);
}

/**
 * LINEAR keys that stay within the tolerance of a function. Starts from its key times and halves every interval until
 * linear (slerp) interpolation agrees with the function at several inner points; jumps become a pair of keys one float32
 * step apart. Without key times there is one key, at 0. RangeError for a tolerance that is not above 0.
 */
export function resampleFunction(source: TimeFunction): LinearKeys {
  const { width, isRotation, evaluate, tolerance, keyLimit = Number.POSITIVE_INFINITY } = source;
  if (!(tolerance > 0)) throw new RangeError(`The tolerance is ${tolerance}; expected a number above 0.`);
  const starts = startTimes(source);
  const times: number[] = [];
  const values: number[] = [];
  // The right ends of the intervals that are not done, the nearest last.
  const stackTimes = new Float64Array(DEPTH_LIMIT + 1);
  const stackDepths = new Int32Array(DEPTH_LIMIT + 1);
  const stackValues = new Float64Array((DEPTH_LIMIT + 1) * width);
  const left = new Float64Array(width);
  const exact = new Float64Array(width);
  const between = new Float64Array(width);
  let leftTime = starts[0];
  evaluate(leftTime, left, 0);
  emit();

  for (let start = 1; start < starts.length; start++) {
    let top = 0;
    stackTimes[0] = starts[start];
    stackDepths[0] = 0;
    evaluate(starts[start], stackValues, 0);
    while (top >= 0) {
      const middle = splitTime(top);
      if (middle === null) {
        leftTime = stackTimes[top];
        for (let c = 0; c < width; c++) left[c] = stackValues[top * width + c];
        top--;
        emit();
        continue;
      }
      stackDepths[top]++;
      top++;
      stackTimes[top] = middle;
      stackDepths[top] = stackDepths[top - 1];
      evaluate(middle, stackValues, top * width);
    }
  }
  return { times: Float32Array.from(times), values: Float64Array.from(values) };

  /** Where the interval from the last key to the stack's top must be halved; null when it need not, or cannot. */
  function splitTime(top: number): number | null {
    const duration = stackTimes[top] - leftTime;
    const middle = Math.fround(leftTime + duration / 2);
    if (stackDepths[top] >= DEPTH_LIMIT || middle <= leftTime || middle >= stackTimes[top]) return null;
    if (times.length >= keyLimit) return null;
    for (const point of CHECK_POINTS) {
      const time = Math.fround(leftTime + duration * point);
      const t = (time - leftTime) / duration;
      evaluate(time, exact, 0);
      if (isRotation) quat.slerp(between, 0, left, 0, stackValues, top * width, t);
      else for (let c = 0; c < width; c++) between[c] = (1 - t) * left[c] + t * stackValues[top * width + c];
      if (difference(between, 0, exact, 0, width, isRotation) > SAFETY * tolerance) return middle;
    }
    return null;
  }

  /** Appends the key in `left`, a quaternion turned to the hemisphere of the one before. */
  function emit(): void {
    const former = values.length - 4;
    const sign = isRotation && former >= 0 && quat.dot(left, 0, values, former) < 0 ? -1 : 1;
    times.push(leftTime);
    for (let c = 0; c < width; c++) values.push(sign * left[c]);
  }
}
