/** Arrays of vertices that keep what does not change. */

/** A vertex that moves by less, as part of the largest coordinate, stays where it is, to the bit. */
export const STILL = 1e-7;

/** New values where they differ from the old ones; null where all of them stay. Those that stay keep their bits. */
export function changedOnly(old: Float32Array, values: Float64Array, most: number): Float32Array<ArrayBuffer> | null {
  const out = new Float32Array(old);
  let isChanged = false;
  for (let i = 0; i < out.length; i++) {
    if (!(Math.abs(values[i] - old[i]) > most)) continue;
    out[i] = values[i];
    isChanged = true;
  }
  return isChanged ? out : null;
}

/** The largest magnitude of some numbers. */
export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
