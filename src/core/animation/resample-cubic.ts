/** Creates CUBICSPLINE keys: the keys of a function, and as many more as a spline needs to stay within a tolerance. */
import * as quat from '../math/quat.ts';
import type { Keys } from './clip.ts';
import { DEPTH_LIMIT, difference, SAFETY, startTimes, type TimeFunction } from './resample.ts';

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
function hermiteWeights(t: number): readonly [number, number, number, number] {
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
 * @param source The function, its key times and the tolerance.
 * @returns The keys, with float32 times; CUBICSPLINE also for a single key.
 * @throws RangeError for a tolerance that is not above 0.
 */
export function resampleCubic(source: TimeFunction): Keys {
  const { width, isRotation, evaluate, tolerance, keyLimit = Number.POSITIVE_INFINITY } = source;
  if (!(tolerance > 0)) throw new RangeError(`The tolerance is ${tolerance}; expected a number above 0.`);
  const starts = startTimes(source);
  const times: number[] = [];
  const values: number[] = [];
  // Right ends of the pending intervals, the earliest one last.
  const stackTimes = new Float64Array(DEPTH_LIMIT + 1);
  const stackDepths = new Int32Array(DEPTH_LIMIT + 1);
  const stackValues = new Float64Array((DEPTH_LIMIT + 1) * width);
  const left = new Float64Array(width);
  const right = new Float64Array(width);
  const nodes = [new Float64Array(width), new Float64Array(width)];
  const exact = new Float64Array(width);
  const between = new Float64Array(width);
  /** Slopes at both ends, relative to the interval. */
  const slopes = [new Float64Array(width), new Float64Array(width)];
  let leftTime = starts[0];
  evaluate(leftTime, left, 0);
  emit(0);

  for (let start = 1; start < starts.length; start++) {
    let top = 0;
    stackTimes[0] = starts[start];
    stackDepths[0] = 0;
    evaluate(starts[start], stackValues, 0);
    while (top >= 0) {
      const duration = stackTimes[top] - leftTime;
      const middle = Math.fround(leftTime + duration / 2);
      const isDivisible = stackDepths[top] < DEPTH_LIMIT && middle > leftTime && middle < stackTimes[top];
      const fits = fitInterval(top, duration);
      if (!fits && isDivisible && times.length < keyLimit) {
        stackDepths[top]++;
        top++;
        stackTimes[top] = middle;
        stackDepths[top] = stackDepths[top - 1];
        evaluate(middle, stackValues, top * width);
        continue;
      }
      if (!fits) {
        // A jump, or a function that is not followed any closer: the spline takes the shorter way and does not overshoot.
        for (const slope of slopes) slope.fill(0);
        alignSign(right, left);
      }
      for (let c = 0; c < width; c++) values[values.length - width + c] = slopes[0][c] / duration;
      leftTime = stackTimes[top];
      left.set(right);
      top--;
      emit(duration);
    }
  }
  return { interpolation: 'CUBICSPLINE', times: Float32Array.from(times), values: Float64Array.from(values) };

  /** Fits a spline from the last key to the top of the stack; returns true if it is within the tolerance. Sets `right` and `slopes`. */
  function fitInterval(top: number, duration: number): boolean {
    let former = left;
    for (const [k, node] of nodes.entries()) {
      evaluate(leftTime + duration * NODES[k], node, 0);
      alignSign(node, former);
      former = node;
    }
    for (let c = 0; c < width; c++) right[c] = stackValues[top * width + c];
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

  /** Appends the key in `left`, with the in-tangent of the interval that ends there; its out-tangent follows with the next interval. */
  function emit(duration: number): void {
    times.push(leftTime);
    for (let c = 0; c < width; c++) values.push(duration > 0 ? slopes[1][c] / duration : 0);
    for (let c = 0; c < width; c++) values.push(left[c]);
    for (let c = 0; c < width; c++) values.push(0);
  }
}
