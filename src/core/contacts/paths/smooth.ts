/** Smoothing of values over time. */

/**
 * Smooths values with a Gaussian. Beyond the ends, the first and the last value continue.
 *
 * @param values One per frame.
 * @param sigma Standard deviation, seconds.
 * @param step Seconds between frames.
 * @returns One per frame.
 */
export function smooth(values: Float64Array, sigma: number, step: number): Float64Array {
  const count = values.length;
  const reach = Math.max(1, Math.round((2.5 * sigma) / step));
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (((k - reach) * step) / sigma) ** 2),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  return values.map((_, frame) => {
    let sum = 0;
    for (let k = -reach; k <= reach; k++)
      sum += kernel[k + reach] * values[Math.min(count - 1, Math.max(0, frame + k))];
    return sum / total;
  });
}

/**
 * Makes a smooth path that is hardly anywhere below another one: the maximum over a window of the standard deviation, smoothed.
 *
 * @param values One per frame.
 * @param sigma Standard deviation, seconds.
 * @param step Seconds between frames.
 * @returns One per frame.
 */
export function smoothMaximum(values: Float64Array, sigma: number, step: number): Float64Array {
  const half = Math.max(1, Math.round(sigma / step));
  const most = values.map((value, frame) => {
    let largest = value;
    for (let k = Math.max(0, frame - half); k <= Math.min(values.length - 1, frame + half); k++) {
      largest = Math.max(largest, values[k]);
    }
    return largest;
  });
  return smooth(most, sigma, step);
}
