/** Neighboring float32 numbers. Files store key times as float32. */
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** Returns the next float32 below (−1) or above (+1) a finite float32. */
function step(value: number, direction: -1 | 1): number {
  float[0] = value;
  if (float[0] === 0) bits[0] = direction > 0 ? 1 : -2147483647;
  else bits[0] += float[0] > 0 ? direction : -direction;
  return float[0];
}

/** Returns the smallest float32 that is not below a number. */
export function float32From(value: number): number {
  const rounded = Math.fround(value);
  return rounded < value ? step(rounded, 1) : rounded;
}

/** Returns the largest float32 below a number. */
export function float32Below(value: number): number {
  const rounded = Math.fround(value);
  return rounded < value ? rounded : step(rounded, -1);
}
