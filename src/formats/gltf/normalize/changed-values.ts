/** Updates vertex arrays and keeps the exact bits of values that do not change. */
/** Smallest change of a coordinate, relative to the largest coordinate; smaller changes are ignored. */
export const MIN_CHANGE = 1e-7;

/**
 * Merges new values into old ones. Values that change by at tolerance the tolerance keep their bits. Returns the merged values; null where nothing
 * changes.
 */
export function changedValues(
  old: Float32Array,
  values: Float64Array,
  tolerance: number,
): Float32Array<ArrayBuffer> | null {
  const out = new Float32Array(old);
  let isChanged = false;
  for (let i = 0; i < out.length; i++) {
    if (!(Math.abs(values[i] - old[i]) > tolerance)) continue;
    out[i] = values[i];
    isChanged = true;
  }
  return isChanged ? out : null;
}

export function maxMagnitude(values: ArrayLike<number>): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i]));
  return max;
}
