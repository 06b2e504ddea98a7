/** Symmetric positive definite systems with few diagonals. */

/** Solves a system in place by an LDLᵀ factorization. `right`: right side, one number per row; receives the solution. */
export function solveBand(band: Float64Array, width: number, right: Float64Array): void {
  const stride = width + 1;
  const size = right.length;
  for (let i = 0; i < size; i++) {
    const row = stride * i;
    const pivot = band[row];
    const last = Math.min(width, size - 1 - i);
    for (let k = 1; k <= last; k++) {
      const factor = band[row + k] / pivot;
      if (factor === 0) continue;
      const below = stride * (i + k);
      for (let n = k; n <= last; n++) band[below + n - k] -= factor * band[row + n];
      right[i + k] -= factor * right[i];
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    const row = stride * i;
    const last = Math.min(width, size - 1 - i);
    let value = right[i];
    for (let k = 1; k <= last; k++) value -= band[row + k] * right[i + k];
    right[i] = value / band[row];
  }
}
