/** Smooth paths through weighted data: the minimum of a quadratic energy, by a banded Cholesky factorization. */

/** What a path is attracted by. All weights are at least 0. */
export interface PathProblem {
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

/** Most frames of a clip that is solved as if it were no loop: its diagonals would meet. */
const SHORTEST_LOOP = 6;

/** Finds the path o with the least `∫ a·|o − data|² + b·|o′ − change′|² + c·|o″|²`. Returns `width` floats per frame. */
export function solvePath(problem: PathProblem): Float64Array {
  const { width, data, dataWeights, changes, stiffness, bending, step } = problem;
  const frames = dataWeights.length;
  const isLoop = problem.isLoop && frames > SHORTEST_LOOP;
  // The last frame of a loop is the first one again: it is no unknown of its own.
  const count = isLoop ? frames - 1 : frames;
  // The matrix has five diagonals: d0 is the main one, d1[i] couples i and i + 1, d2[i] couples i and i + 2; in a loop they go on around the end.
  const d0 = new Float64Array(count);
  const d1 = new Float64Array(count);
  const d2 = new Float64Array(count);
  const right = new Float64Array(width * count);
  for (let i = 0; i < count; i++) {
    // The tiny weight makes the problem definite where nothing else does.
    d0[i] = (dataWeights[i] + 1e-9) * step;
    for (let c = 0; c < width; c++) right[width * i + c] = d0[i] * data[width * i + c];
  }
  for (let i = 0; i + 1 < frames; i++) {
    const next = (i + 1) % count;
    const weight = stiffness[i] / step;
    d0[i] += weight;
    d0[next] += weight;
    d1[i] -= weight;
    if (changes === null) continue;
    for (let c = 0; c < width; c++) {
      const pull = weight * changes[width * i + c];
      right[width * i + c] -= pull;
      right[width * next + c] += pull;
    }
  }
  const bend = bending / step ** 3;
  for (let i = 0; i < (isLoop ? count : count - 2); i++) {
    const [middle, last] = [(i + 1) % count, (i + 2) % count];
    d0[i] += bend;
    d0[middle] += 4 * bend;
    d0[last] += bend;
    d1[i] -= 2 * bend;
    d1[middle] -= 2 * bend;
    d2[i] += bend;
  }
  if (!isLoop) {
    solveBanded(d0, d1, d2, right, width);
    return right;
  }
  solveCyclic(d0, d1, d2, right, width);
  const out = new Float64Array(width * frames);
  out.set(right);
  out.copyWithin(width * count, 0, width);
  return out;
}

/**
 * Solves a symmetric positive definite system whose five diagonals go on around the end, in place: the last two unknowns are solved for after all others
 * were eliminated.
 */
function solveCyclic(d0: Float64Array, d1: Float64Array, d2: Float64Array, right: Float64Array, width: number): void {
  const count = d0.length;
  const inner = count - 2;
  const [p, q] = [inner, inner + 1];
  // Columns of the last two unknowns p and q follow the right sides.
  const wide = width + 2;
  const x = new Float64Array(wide * inner);
  for (let i = 0; i < inner; i++) {
    for (let c = 0; c < width; c++) x[wide * i + c] = right[width * i + c];
  }
  const toP = x.subarray(width);
  const toQ = x.subarray(width + 1);
  toP[wide * (inner - 1)] += d1[inner - 1];
  toP[wide * (inner - 2)] += d2[inner - 2];
  toP[0] += d2[p];
  toQ[wide * (inner - 1)] += d2[inner - 1];
  toQ[0] += d1[q];
  toQ[wide] += d2[q];
  const columns = Float64Array.from({ length: 2 * inner }, (_, k) => x[wide * (k >> 1) + width + (k & 1)]);
  solveBanded(d0.slice(0, inner), d1.slice(0, inner), d2.slice(0, inner), x, wide);
  // Schur complement of the last two unknowns.
  const dot = (column: number, other: number): number => {
    let sum = 0;
    for (let i = 0; i < inner; i++) sum += columns[2 * i + column] * x[wide * i + other];
    return sum;
  };
  const pp = d0[p] - dot(0, width);
  const pq = d1[p] - dot(0, width + 1);
  const qq = d0[q] - dot(1, width + 1);
  const determinant = pp * qq - pq * pq;
  for (let c = 0; c < width; c++) {
    const a = right[width * p + c] - dot(0, c);
    const b = right[width * q + c] - dot(1, c);
    const atP = (qq * a - pq * b) / determinant;
    const atQ = (pp * b - pq * a) / determinant;
    right[width * p + c] = atP;
    right[width * q + c] = atQ;
    for (let i = 0; i < inner; i++) {
      right[width * i + c] = x[wide * i + c] - x[wide * i + width] * atP - x[wide * i + width + 1] * atQ;
    }
  }
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
