/** Smoothing of values over time. */

/** Index of a frame that may be beyond the ends. */
function neighbor(frame: number, count: number, isLoop: boolean): number {
  if (!isLoop || count < 2) return Math.min(count - 1, Math.max(0, frame));
  return ((frame % (count - 1)) + (count - 1)) % (count - 1);
}

/**
 * Smooths values with a Gaussian. Beyond the ends, the first and the last value continue, or the loop.
 *
 * @param values One per frame.
 * @param sigma Standard deviation, seconds.
 * @param step Seconds between frames.
 * @param isLoop Whether the last frame is the first one again.
 * @returns One per frame.
 */
export function smooth(values: Float64Array, sigma: number, step: number, isLoop: boolean): Float64Array {
  const count = values.length;
  // Frames of a clip of almost no duration are closer than any window: it is at most as long as the path.
  const reach = Math.min(count, Math.max(1, Math.round((2.5 * sigma) / step)));
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (((k - reach) * step) / sigma) ** 2),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  return values.map((_, frame) => {
    let sum = 0;
    for (let k = -reach; k <= reach; k++) sum += kernel[k + reach] * values[neighbor(frame + k, count, isLoop)];
    return sum / total;
  });
}

/**
 * Makes a smooth path that is hardly anywhere below another one: the maximum over a window of the standard deviation, smoothed.
 *
 * @param values One per frame.
 * @param sigma Standard deviation, seconds.
 * @param step Seconds between frames.
 * @param isLoop Whether the last frame is the first one again.
 * @returns One per frame.
 */
export function smoothMaximum(values: Float64Array, sigma: number, step: number, isLoop: boolean): Float64Array {
  const half = Math.min(values.length, Math.max(1, Math.round(sigma / step)));
  const most = values.map((value, frame) => {
    let largest = value;
    for (let k = frame - half; k <= frame + half; k++) {
      largest = Math.max(largest, values[neighbor(k, values.length, isLoop)]);
    }
    return largest;
  });
  return smooth(most, sigma, step, isLoop);
}
