/** Creates CUBICSPLINE keys: the keys of a function, and as many more as a spline needs to stay within a tolerance. */
import * as quat from '../math/quat.ts';
import type { Keys } from './clip.ts';
import { difference, halveIntervals, type Interval, SAFETY, startTimes, type TimeFunction } from './resample.ts';

/**
 * Inner points of an interval that the spline passes through, relative to the interval: the inner two of the four roots of the
 * Chebyshev polynomial T₄, stretched so that the outer two are the ends. The error of a smooth function is then a sixth of that of a
 * spline with the exact slopes at the ends, and no slope is needed.
 */
export const SPLINE_NODES = [1 - Math.SQRT1_2, Math.SQRT1_2];
/** Points where the error between those nodes and the ends is greatest: the extrema of the same polynomial. */
export const SPLINE_EXTREMA = [
  0.5,
  0.5 - Math.sqrt(1 - Math.SQRT1_2) * Math.SQRT1_2,
  0.5 + Math.sqrt(1 - Math.SQRT1_2) * Math.SQRT1_2,
];
/** Length below which the spline of four numbers has no direction. */
const LEAST_LENGTH = 1e-3;

/** Weights of left value, left slope, right value and right slope in a cubic Hermite spline; slopes relative to the interval. */
export function hermiteWeights(t: number): readonly [number, number, number, number] {
  const s = 1 - t;
  return [(1 + 2 * t) * s * s, t * s * s, t * t * (3 - 2 * t), -t * t * s];
}

const NODE_WEIGHTS = SPLINE_NODES.map(hermiteWeights);
const EXTREMUM_WEIGHTS = SPLINE_EXTREMA.map(hermiteWeights);
const [[, A, , B], [, C, , D]] = NODE_WEIGHTS;
const DETERMINANT = A * D - B * C;

/** CUBICSPLINE keys of a function while they are found. */
interface FoundSpline extends Pick<TimeFunction, 'width' | 'isRotation' | 'evaluate' | 'tolerance'> {
  readonly times: number[];
  readonly values: number[];
  readonly nodes: readonly Float64Array[];
  readonly exact: Float64Array;
  readonly between: Float64Array;
  /** Slopes at both ends, relative to the interval. */
  readonly slopes: readonly Float64Array[];
}

/**
 * Approximates a function of time by CUBICSPLINE keys within a tolerance. It starts from the key times and halves every interval until a spline
 * through two inner points of the interval matches the function between them. A jump becomes two keys one float32 step apart. Neighboring
 * quaternions are in one hemisphere. Throws RangeError for a tolerance that is not above 0.
 */
export function resampleCubic(source: TimeFunction, starts: Float32Array = startTimes(source)): Keys {
  const { width, isRotation, evaluate, tolerance } = source;
  const found: FoundSpline = {
    width,
    isRotation,
    evaluate,
    tolerance,
    times: [],
    values: [],
    nodes: [new Float64Array(width), new Float64Array(width)],
    exact: new Float64Array(width),
    between: new Float64Array(width),
    slopes: [new Float64Array(width), new Float64Array(width)],
  };
  halveIntervals(source, starts, found, acceptSpline);
  return { interpolation: 'CUBICSPLINE', times: new Float32Array(found.times), values: new Float64Array(found.values) };
}

function acceptSpline(found: FoundSpline, interval: Interval, isDivisible: boolean): boolean {
  const { width, isRotation, values, slopes } = found;
  const { leftTime, rightTime, left, right } = interval;
  const duration = rightTime - leftTime;
  if (duration > 0) {
    if (!fitInterval(found, interval)) {
      if (isDivisible) return false;
      // A jump, or a function that is not followed any closer: the spline takes the shorter way and does not overshoot.
      for (const slope of slopes) slope.fill(0);
      if (isRotation) alignSign(right, left);
    }
    for (let c = 0; c < width; c++) values[values.length - width + c] = slopes[0][c] / duration;
  }
  addKey(found, interval);
  return true;
}

/** Fits a spline to an interval; returns true if it is within the tolerance. Sets `slopes` and aligns the sign of the right value. */
function fitInterval(found: FoundSpline, { leftTime, rightTime, left, right }: Interval): boolean {
  const { width, isRotation, evaluate, tolerance, nodes, exact, between, slopes } = found;
  const duration = rightTime - leftTime;
  let former = left;
  for (let k = 0; k < nodes.length; k++) {
    evaluate(leftTime + duration * SPLINE_NODES[k], nodes[k], 0);
    if (isRotation) alignSign(nodes[k], former);
    former = nodes[k];
  }
  if (isRotation) alignSign(right, former);
  if (isRotation && quat.dot(left, 0, right, 0) < 0) return false;
  for (let c = 0; c < width; c++) {
    const first = nodes[0][c] - NODE_WEIGHTS[0][0] * left[c] - NODE_WEIGHTS[0][2] * right[c];
    const second = nodes[1][c] - NODE_WEIGHTS[1][0] * left[c] - NODE_WEIGHTS[1][2] * right[c];
    slopes[0][c] = (D * first - B * second) / DETERMINANT;
    slopes[1][c] = (A * second - C * first) / DETERMINANT;
  }
  for (let k = 0; k < SPLINE_EXTREMA.length; k++) {
    const [l, lSlope, r, rSlope] = EXTREMUM_WEIGHTS[k];
    for (let c = 0; c < width; c++)
      between[c] = l * left[c] + lSlope * slopes[0][c] + r * right[c] + rSlope * slopes[1][c];
    if (isRotation && !(quat.normalize(between, 0, between, 0) > LEAST_LENGTH)) return false;
    evaluate(leftTime + duration * SPLINE_EXTREMA[k], exact, 0);
    if (!(difference(between, 0, exact, 0, width, isRotation) <= SAFETY * tolerance)) return false;
  }
  return true;
}

/** Flips a quaternion into the hemisphere of another one. */
function alignSign(value: Float64Array, former: Float64Array): void {
  if (quat.dot(value, 0, former, 0) < 0) for (let c = 0; c < 4; c++) value[c] = -value[c];
}

/** Appends the key at the right end, with the in-tangent of the interval; its out-tangent follows with the next interval. */
function addKey({ width, times, values, slopes }: FoundSpline, { leftTime, rightTime, right }: Interval): void {
  const duration = rightTime - leftTime;
  times.push(rightTime);
  for (let c = 0; c < width; c++) values.push(duration > 0 ? slopes[1][c] / duration : 0);
  for (let c = 0; c < width; c++) values.push(right[c]);
  for (let c = 0; c < width; c++) values.push(0);
}
