/** Returns the median: the mean of the two in the middle of an even count; NaN without values. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

/** Returns the value in the middle, the greater one of an even count; undefined without values. */
export function upperMedian(values: ArrayLike<number>): number | undefined {
  return Float64Array.from(values).sort()[values.length >> 1];
}
