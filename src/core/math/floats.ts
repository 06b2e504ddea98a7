/** Any flat float buffer. Files and defaults use float32, plans float64. */
export type Floats = Float32Array | Float64Array;

/** The largest number that is finite as a float32, 3.4028234663852886e38, in the rounded form of text files. */
export const FLOAT32_MAX = 3.4028235e38;

/** Limits a number to 0…1; NaN becomes 0. */
export function clamp01(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

export function areEqualFloats(a: Floats, b: Floats): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
