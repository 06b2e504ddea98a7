/** Smooth paths through weighted data: the minimum of a quadratic energy, by a banded Cholesky factorization. */

/** What a path is attracted by. All weights are at least 0. */
export interface PathProblem {
  /** Floats per frame. */
  readonly width: number;
  /** Wanted value of every frame: `width` floats per frame. */
  readonly data: Float64Array;
  /** Weight of the wanted value, per frame. */
  readonly dataWeights: Float64Array;
  /** Wanted change from every frame to the next: `width` floats per interval; null for no change. */
  readonly changes: Float64Array | null;
  /** Stiffness: weight of the squared velocity minus the wanted one, in seconds squared, per interval. */
  readonly stiffness: Float64Array;
  /** Weight of the squared acceleration, in seconds to the fourth. */
  readonly bending: number;
  /** Seconds between frames. */
  readonly step: number;
  /** Whether the last frame is the first one again: then the path is a loop without a seam. */
  readonly isLoop: boolean;
}

/** Seconds by which a loop is continued at both ends. What is further away has no influence. */
const OVERLAP = 2;

/** Continues a loop at both ends, solves it, and cuts out the middle. */
function solveLoop(problem: PathProblem): Float64Array {
  const { width, data, dataWeights, changes, stiffness, step } = problem;
  const period = dataWeights.length - 1;
  const more = Math.min(period, Math.ceil(OVERLAP / step));
  const count = dataWeights.length + 2 * more;
  const at = (frame: number): number => (frame - more + 2 * period) % period;
  const repeat = (values: Float64Array, floats: number, frames: number): Float64Array => {
    return Float64Array.from(
      { length: floats * frames },
      (_, k) => values[floats * at(Math.floor(k / floats)) + (k % floats)],
    );
  };
  const long = solvePath({
    ...problem,
    data: repeat(data, width, count),
    dataWeights: repeat(dataWeights, 1, count),
    changes: changes === null ? null : repeat(changes, width, count - 1),
    stiffness: repeat(stiffness, 1, count - 1),
    isLoop: false,
  });
  const out = long.slice(width * more, width * (more + dataWeights.length));
  for (let c = 0; c < width; c++) out[width * period + c] = out[c];
  return out;
}

/**
 * Finds the path o with the least `∫ a·|o − data|² + b·|o′ − change′|² + c·|o″|²`.
 *
 * @param problem Data, weights a (`dataWeights`), b (`stiffness`), c (`bending`).
 * @returns `width` floats per frame.
 */
export function solvePath(problem: PathProblem): Float64Array {
  const { width, data, dataWeights, changes, stiffness, bending, step } = problem;
  if (problem.isLoop && dataWeights.length > 2) return solveLoop(problem);
  const count = dataWeights.length;
  // The matrix has five diagonals: d0 is the main one, d1[i] couples i and i + 1, d2[i] couples i and i + 2.
  const d0 = new Float64Array(count);
  const d1 = new Float64Array(count);
  const d2 = new Float64Array(count);
  const out = new Float64Array(width * count);
  for (let i = 0; i < count; i++) {
    // The tiny weight makes the problem definite where nothing else does.
    d0[i] = (dataWeights[i] + 1e-9) * step;
    for (let c = 0; c < width; c++) out[width * i + c] = d0[i] * data[width * i + c];
  }
  for (let i = 0; i + 1 < count; i++) {
    const weight = stiffness[i] / step;
    d0[i] += weight;
    d0[i + 1] += weight;
    d1[i] -= weight;
    if (changes === null) continue;
    for (let c = 0; c < width; c++) {
      const pull = weight * changes[width * i + c];
      out[width * i + c] -= pull;
      out[width * (i + 1) + c] += pull;
    }
  }
  const bend = bending / step ** 3;
  for (let i = 1; i + 1 < count; i++) {
    d0[i - 1] += bend;
    d0[i] += 4 * bend;
    d0[i + 1] += bend;
    d1[i - 1] -= 2 * bend;
    d1[i] -= 2 * bend;
    d2[i - 1] += bend;
  }
  solveBanded(d0, d1, d2, out, width);
  return out;
}

/** Solves a symmetric positive definite system with five diagonals in place (LDLᵀ). */
function solveBanded(d0: Float64Array, d1: Float64Array, d2: Float64Array, out: Float64Array, width: number): void {
  const count = d0.length;
  for (let i = 0; i < count; i++) {
    const pivot = d0[i];
    const first = i + 1 < count ? d1[i] / pivot : 0;
    const second = i + 2 < count ? d2[i] / pivot : 0;
    if (i + 1 < count) {
      d0[i + 1] -= first * d1[i];
      if (i + 2 < count) {
        d1[i + 1] -= first * d2[i];
        d0[i + 2] -= second * d2[i];
      }
    }
    for (let c = 0; c < width; c++) {
      const value = out[width * i + c];
      if (i + 1 < count) out[width * (i + 1) + c] -= first * value;
      if (i + 2 < count) out[width * (i + 2) + c] -= second * value;
    }
    d1[i] = first;
    d2[i] = second;
  }
  for (let i = count - 1; i >= 0; i--) {
    for (let c = 0; c < width; c++) {
      let value = out[width * i + c] / d0[i];
      if (i + 1 < count) value -= d1[i] * out[width * (i + 1) + c];
      if (i + 2 < count) value -= d2[i] * out[width * (i + 2) + c];
      out[width * i + c] = value;
    }
  }
}
