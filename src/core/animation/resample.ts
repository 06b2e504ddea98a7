/** Creates keys: at a constant frame rate, or as many as linear interpolation needs to stay within a tolerance. */
import { float32Below, float32From } from '../math/float32.ts';
import { areEqualFloats, type Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';

/** Keys that a curve of a file gets at most, per key time and beyond those: huge numbers of damaged files would need many more. */
const KEYS_PER_KEY = 64;
const EXTRA_KEYS = 2048;
/** Keys that any function gets at most beyond its key times. Joints below many that rotate at random need thousands. */
const MOST_EXTRA_KEYS = 100_000;
/** Greatest number of frames: 70 minutes at 60 fps. A damaged duration must not exhaust memory. */
const FRAME_LIMIT = 250_000;

/**
 * Creates key times at a constant frame rate: `frame / fps`, each rounded to float32 separately, so that errors do not accumulate. The last time is
 * always `duration`, also between two frames. Throws RangeError for an fps that is not a finite number above 0, and for a duration with too many
 * frames.
 */
export function uniformTimes(duration: number, fps: number): Float32Array {
  if (!(fps > 0 && Number.isFinite(fps)))
    throw new RangeError(`The frame rate is ${fps}; expected a finite number above 0.`);
  const frames = duration * fps;
  if (!(frames >= 0 && frames <= FRAME_LIMIT)) {
    throw new RangeError(
      `${duration} s at ${fps} fps are ${frames} frames; expected 0 to ${FRAME_LIMIT}. Choose a lower rate or a shorter part.`,
    );
  }
  const end = Math.fround(duration);
  const times: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const time = Math.fround(frame / fps);
    // The end replaces a frame that is less than a thousandth of a step before it, or that rounds to the same float32.
    if (time >= end || frames - frame < 1e-3) break;
    if (times.length === 0 || time > times[times.length - 1]) times.push(time);
  }
  times.push(end);
  return Float32Array.from(times);
}

function distinct<Times extends Float32Array | Float64Array>(ascending: Times): Times {
  let count = 0;
  for (let k = 0; k < ascending.length; k++) {
    if (k === 0 || ascending[k] !== ascending[count - 1]) ascending[count++] = ascending[k];
  }
  return (count === ascending.length ? ascending : ascending.slice(0, count)) as Times;
}

function isAscending(times: Floats): boolean {
  for (let k = 1; k < times.length; k++) if (!(times[k] >= times[k - 1])) return false;
  return true;
}

export function unionTimes(lists: readonly Floats[]): Float64Array {
  // Tracks and curves mostly have the same times, in order: then nothing has to be sorted.
  const different: Floats[] = [];
  for (const list of lists) {
    if (list.length > 0 && !different.some((other) => areEqualFloats(other, list))) different.push(list);
  }
  const all = new Float64Array(different.reduce((sum, list) => sum + list.length, 0));
  let length = 0;
  for (const list of different) {
    all.set(list, length);
    length += list.length;
  }
  return distinct(isAscending(all) ? all : all.sort());
}

export interface TimeFunction {
  /** Floats per value; 4 for rotations. */
  readonly width: number;
  /** Whether values are unit quaternions, interpolated by slerp; others are interpolated by component. */
  readonly isRotation: boolean;
  /** Seconds, ascending; the function is smooth between these times. */
  readonly keyTimes: Floats;
  /** Seconds, ascending; the function may jump at these times, where it has the new value. */
  readonly stepTimes?: Floats;
  /** Writes the value at a time (seconds) to `out` at offset o. It is called with times in any order. */
  readonly evaluate: (time: number, out: Floats, o: number) => void;
  /** Greatest error above 0: radians for rotations, else the length of the difference. */
  readonly tolerance: number;
  /**
   * Returns how far linear interpolation between the values at two times is from the function between them, at most, if that is known without evaluating it;
   * Infinity where it is not.
   */
  readonly errorBound?: (from: number, to: number) => number;
  /** Number of keys from which intervals are no longer halved, so that the error may exceed the tolerance; {@link defaultKeyLimit} by default. */
  readonly keyLimit?: number;
}

/** Limits the keys of a curve of a file that no number of keys would approximate. */
export function curveKeyLimit(keyTimes: Floats): number {
  return EXTRA_KEYS + KEYS_PER_KEY * keyTimes.length;
}

/** Limits the keys of any function: so many are needed only where damaged numbers make it nowhere smooth. */
export function defaultKeyLimit(keyTimes: Floats): number {
  return MOST_EXTRA_KEYS + keyTimes.length;
}

/**
 * Points of an interval where keys are compared with the function. The midpoint is first because it usually has the largest error; an
 * S-shaped error peaks at 0.21 and 0.79. Quarters would miss rotations by four full turns.
 */
const CHECK_POINTS = [0.5, 0.21, 0.79];
/** Safety factor: between those points the error is slightly larger. */
export const SAFETY = 0.9;
/** Greatest number of halvings of an interval, so that a function that is never smooth terminates. */
const DEPTH_LIMIT = 16;

/**
 * Measures the difference of two values. `b`: floats of the second value, from offset j on. `isRotation`: whether values are unit quaternions.
 * Returns the rotation angle between the quaternions, radians; else the length of the difference.
 */
export function difference(a: Floats, i: number, b: Floats, j: number, width: number, isRotation: boolean): number {
  if (isRotation) return quat.angleBetween(a, i, b, j);
  let squared = 0;
  for (let c = 0; c < width; c++) squared += (a[i + c] - b[j + c]) ** 2;
  return Math.sqrt(squared);
}

/**
 * Lists the times that need a key: the key times, and both sides of every jump. Returns Float32 seconds, strictly increasing; 0 alone for a
 * function without key times.
 */
export function startTimes({
  width,
  isRotation,
  keyTimes,
  stepTimes,
  evaluate,
  tolerance,
}: TimeFunction): Float32Array {
  const times: number[] = [];
  const sides = new Float64Array(2 * width);
  for (const step of stepTimes ?? []) {
    // A step time that float32 rounds down still has the old value, so the next float32 is used.
    const after = float32From(step);
    const before = float32Below(step);
    times.push(after);
    if (before < 0) continue;
    evaluate(before, sides, 0);
    evaluate(after, sides, width);
    if (difference(sides, 0, sides, width, width, isRotation) > (1 - SAFETY) * tolerance) times.push(before);
  }
  const all = new Float32Array(Math.max(1, keyTimes.length + times.length));
  all.set(keyTimes);
  all.set(times, keyTimes.length);
  return distinct(isAscending(all) ? all : all.sort());
}

function withRoom<Times extends Floats>(full: Times, longer: Times): Times {
  longer.set(full);
  return longer;
}

/** The interval between two neighboring keys. */
export interface Interval {
  /** Seconds. */
  leftTime: number;
  /** Seconds. */
  rightTime: number;
  readonly left: Float64Array;
  /** Value at the right end; `accept` may flip the sign of a quaternion. */
  readonly right: Float64Array;
}

/**
 * Visits intervals from the first key of a function to its last, in order, and halves each until it is accepted. `found` is passed to `accept`: one
 * function for all calls stays compiled. `accept` receives an interval, and whether it can be halved; returns true for a key at its right end,
 * false to halve it. It must return true where the interval cannot be halved. The first call is for the first key, with an interval of no duration.
 * Throws RangeError for a tolerance that is not above 0.
 */
export function halveIntervals<Found>(
  source: TimeFunction,
  starts: Float32Array,
  found: Found,
  accept: (found: Found, interval: Interval, isDivisible: boolean) => boolean,
): void {
  const { width, evaluate, tolerance, keyLimit = defaultKeyLimit(source.keyTimes) } = source;
  if (!(tolerance > 0)) throw new RangeError(`The tolerance is ${tolerance}; expected a number above 0.`);
  // Right ends of the pending intervals, the earliest one last.
  const stackTimes = new Float64Array(DEPTH_LIMIT + 1);
  const stackDepths = new Int32Array(DEPTH_LIMIT + 1);
  const stackValues = new Float64Array((DEPTH_LIMIT + 1) * width);
  const [left, right] = [new Float64Array(width), new Float64Array(width)];
  const interval: Interval = { leftTime: starts[0], rightTime: starts[0], left, right };
  evaluate(starts[0], right, 0);
  accept(found, interval, false);
  left.set(right);
  let keyCount = 1;
  for (let start = 1; start < starts.length; start++) {
    let top = 0;
    stackTimes[0] = starts[start];
    stackDepths[0] = 0;
    evaluate(starts[start], stackValues, 0);
    while (top >= 0) {
      interval.rightTime = stackTimes[top];
      for (let c = 0; c < width; c++) right[c] = stackValues[top * width + c];
      const middle = Math.fround(interval.leftTime + (interval.rightTime - interval.leftTime) / 2);
      const isDivisible =
        stackDepths[top] < DEPTH_LIMIT &&
        middle > interval.leftTime &&
        middle < interval.rightTime &&
        keyCount < keyLimit;
      if (accept(found, interval, isDivisible)) {
        interval.leftTime = interval.rightTime;
        left.set(right);
        keyCount++;
        top--;
        continue;
      }
      stackDepths[top]++;
      top++;
      stackTimes[top] = middle;
      stackDepths[top] = stackDepths[top - 1];
      evaluate(middle, stackValues, top * width);
    }
  }
}

interface FoundKeys extends Pick<TimeFunction, 'width' | 'isRotation' | 'evaluate' | 'tolerance'> {
  readonly errorBound: TimeFunction['errorBound'] | undefined;
  readonly exact: Float64Array;
  readonly between: Float64Array;
  times: Float32Array;
  values: Float64Array;
  count: number;
}

/**
 * Approximates a function of time by LINEAR keys within a tolerance. It starts from the key times and halves every interval until linear
 * interpolation (slerp for rotations) matches the function at several inner points. A jump becomes two keys one float32 step apart. Without key times
 * the result has one key, at 0. Throws RangeError for a tolerance that is not above 0. Neighboring quaternions are in the same hemisphere.
 */
export function resampleFunction(
  source: TimeFunction,
  starts: Float32Array = startTimes(source),
): { times: Float32Array; values: Float64Array } {
  const { width, isRotation, evaluate, tolerance, errorBound } = source;
  const found: FoundKeys = {
    width,
    isRotation,
    evaluate,
    tolerance,
    errorBound,
    exact: new Float64Array(width),
    between: new Float64Array(width),
    times: new Float32Array(starts.length),
    values: new Float64Array(starts.length * width),
    count: 0,
  };
  halveIntervals(source, starts, found, acceptLinear);
  const { times, values, count } = found;
  if (count === times.length) return { times, values };
  return { times: times.slice(0, count), values: values.slice(0, count * width) };
}

function acceptLinear(found: FoundKeys, interval: Interval, isDivisible: boolean): boolean {
  if (isDivisible && !isAccurate(found, interval)) return false;
  addKey(found, interval);
  return true;
}

/** Tells whether linear interpolation matches the function within the tolerance. */
function isAccurate(found: FoundKeys, { leftTime, rightTime, left, right }: Interval): boolean {
  const { width, isRotation, evaluate, tolerance, errorBound, exact, between } = found;
  if (errorBound !== undefined && errorBound(leftTime, rightTime) <= SAFETY * tolerance) return true;
  const duration = rightTime - leftTime;
  for (const point of CHECK_POINTS) {
    const time = Math.fround(leftTime + duration * point);
    const t = (time - leftTime) / duration;
    evaluate(time, exact, 0);
    if (isRotation) quat.slerp(between, 0, left, 0, right, 0, t);
    else for (let c = 0; c < width; c++) between[c] = (1 - t) * left[c] + t * right[c];
    if (difference(between, 0, exact, 0, width, isRotation) > SAFETY * tolerance) return false;
  }
  return true;
}

/** Appends the key at the right end; a quaternion is flipped into the hemisphere of its predecessor. */
function addKey(found: FoundKeys, { rightTime, right }: Interval): void {
  const { width, isRotation, count } = found;
  if (count === found.times.length) {
    found.times = withRoom(found.times, new Float32Array(2 * count));
    found.values = withRoom(found.values, new Float64Array(2 * count * width));
  }
  const { times, values } = found;
  const at = count * width;
  const sign = isRotation && count > 0 && quat.dot(right, 0, values, at - 4) < 0 ? -1 : 1;
  times[count] = rightTime;
  for (let c = 0; c < width; c++) values[at + c] = sign * right[c];
  found.count++;
}
