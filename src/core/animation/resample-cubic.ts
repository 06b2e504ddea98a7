/** Creates CUBICSPLINE keys: the keys of a function, and as many more as a spline needs to stay within a tolerance. */
import * as quat from '../math/quat.ts';
import type { Keys } from './clip.ts';
import { difference, halveIntervals, type Interval, SAFETY, startTimes, type TimeFunction } from './resample.ts';

/**
 * Inner points of an interval that the spline passes through, relative to the interval: the inner two of the four roots of the
 * Chebyshev polynomial T₄, stretched so that the outer two are the ends. The error of a smooth function is then a sixth of that of a
 * spline with the exact slopes at the ends, and no slope is needed.
 */
const NODES = [1 - Math.SQRT1_2, Math.SQRT1_2];
/** Points where the error between those nodes and the ends is greatest: the extrema of the same polynomial. */
const EXTREMA = [
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

const NODE_WEIGHTS = NODES.map(hermiteWeights);
const EXTREMUM_WEIGHTS = EXTREMA.map(hermiteWeights);
const [[, A, , B], [, C, , D]] = NODE_WEIGHTS;
const DETERMINANT = A * D - B * C;

/**
 * Approximates a function of time by CUBICSPLINE keys within a tolerance. It starts from the key times and halves every interval until a
 * spline through two inner points of the interval matches the function between them. A jump becomes two keys one float32 step apart.
 * Neighboring quaternions are in one hemisphere.
 *
 * @throws RangeError for a tolerance that is not above 0.
 */
export function resampleCubic(source: TimeFunction, starts: Float32Array = startTimes(source)): Keys {
  const { width, isRotation, evaluate, tolerance } = source;
  const times: number[] = [];
  const values: number[] = [];
  const nodes = [new Float64Array(width), new Float64Array(width)];
  const exact = new Float64Array(width);
  const between = new Float64Array(width);
  /** Slopes at both ends, relative to the interval. */
  const slopes = [new Float64Array(width), new Float64Array(width)];
  halveIntervals(source, starts, (interval, isDivisible) => {
    const { leftTime, rightTime, left, right } = interval;
    const duration = rightTime - leftTime;
    if (duration > 0) {
      if (!fitInterval(interval)) {
        if (isDivisible) return false;
        // A jump, or a function that is not followed any closer: the spline takes the shorter way and does not overshoot.
        for (const slope of slopes) slope.fill(0);
        alignSign(right, left);
      }
      for (let c = 0; c < width; c++) values[values.length - width + c] = slopes[0][c] / duration;
    }
    emit(interval);
    return true;
  });
  return { interpolation: 'CUBICSPLINE', times: new Float32Array(times), values: new Float64Array(values) };

  /** Fits a spline to an interval; returns true if it is within the tolerance. Sets `slopes` and aligns the sign of the right value. */
  function fitInterval({ leftTime, rightTime, left, right }: Interval): boolean {
    const duration = rightTime - leftTime;
    let former = left;
    for (const [k, node] of nodes.entries()) {
      evaluate(leftTime + duration * NODES[k], node, 0);
      alignSign(node, former);
      former = node;
    }
    alignSign(right, former);
    if (isRotation && quat.dot(left, 0, right, 0) < 0) return false;
    for (let c = 0; c < width; c++) {
      const first = nodes[0][c] - NODE_WEIGHTS[0][0] * left[c] - NODE_WEIGHTS[0][2] * right[c];
      const second = nodes[1][c] - NODE_WEIGHTS[1][0] * left[c] - NODE_WEIGHTS[1][2] * right[c];
      slopes[0][c] = (D * first - B * second) / DETERMINANT;
      slopes[1][c] = (A * second - C * first) / DETERMINANT;
    }
    return EXTREMA.every((point, k) => {
      const [l, lSlope, r, rSlope] = EXTREMUM_WEIGHTS[k];
      for (let c = 0; c < width; c++)
        between[c] = l * left[c] + lSlope * slopes[0][c] + r * right[c] + rSlope * slopes[1][c];
      if (isRotation && !(quat.normalize(between, 0, between, 0) > LEAST_LENGTH)) return false;
      evaluate(leftTime + duration * point, exact, 0);
      return difference(between, 0, exact, 0, width, isRotation) <= SAFETY * tolerance;
    });
  }

  /** Flips a quaternion into the hemisphere of another one. */
  function alignSign(value: Float64Array, former: Float64Array): void {
    if (isRotation && quat.dot(value, 0, former, 0) < 0) for (let c = 0; c < 4; c++) value[c] = -value[c];
  }

  /** Appends the key at the right end, with the in-tangent of the interval; its out-tangent follows with the next interval. */
  function emit({ leftTime, rightTime, right }: Interval): void {
    const duration = rightTime - leftTime;
    times.push(rightTime);
    for (let c = 0; c < width; c++) values.push(duration > 0 ? slopes[1][c] / duration : 0);
    for (let c = 0; c < width; c++) values.push(right[c]);
    for (let c = 0; c < width; c++) values.push(0);
  }
}
