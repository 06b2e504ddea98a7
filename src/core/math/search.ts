/** Search in ascending numbers. */

/** Finds the last of ascending values that is at most `x`; −1 where all are greater. */
export function lastAtMost(values: ArrayLike<number>, x: number): number {
  let low = -1;
  let high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

/** Finds the first of ascending values that is at least `x`; their number where all are less. */
export function firstAtLeast(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
