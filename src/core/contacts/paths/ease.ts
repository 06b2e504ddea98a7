/** Eases from 0 to 1 with zero slope at both ends. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** Eases several values from 0 to 1 in place, as {@link smoothstep} does between 0 and 1. A call has no numbers that the engine could box. */
export function easeAll(values: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) {
    const t = Math.min(1, Math.max(0, values[k]));
    values[k] = t * t * (3 - 2 * t);
  }
}
