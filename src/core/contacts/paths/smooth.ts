/** Smoothing of values over time. */

/** Index of a frame that may be beyond the ends. */
function neighbor(frame: number, count: number, isLoop: boolean): number {
  if (!isLoop || count < 2) return Math.min(count - 1, Math.max(0, frame));
  return ((frame % (count - 1)) + (count - 1)) % (count - 1);
}

/** Smooths values with a Gaussian. Beyond the ends, the first and the last value continue, or the loop. */
export function smooth(values: Float64Array, sigma: number, step: number, isLoop: boolean): Float64Array {
  const count = values.length;
  // Frames of a clip of almost no duration are closer than any window: it is at most as long as the path.
  const reach = Math.min(count, Math.max(1, Math.round((2.5 * sigma) / step)));
  const kernel = new Float64Array(2 * reach + 1);
  let total = 0;
  for (let k = 0; k < kernel.length; k++) {
    kernel[k] = Math.exp(-0.5 * (((k - reach) * step) / sigma) ** 2);
    total += kernel[k];
  }
  // Windows up to here are not continued. The last frame of a loop is the first one again.
  const inner = isLoop ? count - 1 : count;
  const out = new Float64Array(count);
  for (let frame = 0; frame < count; frame++) {
    const first = frame - reach;
    let sum = 0;
    if (first >= 0 && frame + reach < inner) {
      for (let k = 0; k < kernel.length; k++) sum += kernel[k] * values[first + k];
    } else for (let k = 0; k < kernel.length; k++) sum += kernel[k] * values[neighbor(first + k, count, isLoop)];
    out[frame] = sum / total;
  }
  return out;
}

/** Makes a smooth path that is hardly anywhere below another one: the maximum over a window of the standard deviation, smoothed. */
export function smoothMaximum(values: Float64Array, sigma: number, step: number, isLoop: boolean): Float64Array {
  const count = values.length;
  const half = Math.min(count, Math.max(1, Math.round(sigma / step)));
  const inner = isLoop ? count - 1 : count;
  const most = new Float64Array(count);
  for (let frame = 0; frame < count; frame++) {
    const [first, last] = [frame - half, frame + half];
    let largest = values[frame];
    if (first >= 0 && last < inner) for (let k = first; k <= last; k++) largest = Math.max(largest, values[k]);
    else for (let k = first; k <= last; k++) largest = Math.max(largest, values[neighbor(k, count, isLoop)]);
    most[frame] = largest;
  }
  return smooth(most, sigma, step, isLoop);
}
