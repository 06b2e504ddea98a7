/**
 * Finds the smallest smooth unknowns over a whole clip that satisfy linear conditions as well as possible: the minimum of
 * `∫ r·(|x|² + a·|x′|² + b·|x″|²) + Σ weight·term²`, by a banded factorization. A term is the wanted value minus `gradient·x`; one-sided terms count while they
 * are positive. The unknowns of frames that do not continue each other may differ by any amount.
 */
import type { CutTiming } from './timing.ts';

/**
 * Solves a symmetric positive definite system in place by an LDLᵀ factorization. `band`: `width` + 1 numbers per row, the diagonal and the `width`
 * entries right of it. `right`: one number per row; receives the solution.
 */
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

/** Weights a, seconds squared, and b, seconds to the fourth: changes take about their roots. */
const ARM_STIFFNESS = 0.01;
const ARM_BENDING = 0.003;
/** Choices of the one-sided terms that count. */
const CHOICES = 4;
/** Largest change of an unknown by one call, radians. */
const LONGEST_STEP = 0.5;
/** Calls after which it shrinks, and by which factor: terms that are far from linear would make the unknowns jump back and forth. */
const BOLD_STEPS = 10;
const SHRINKING = 0.6;

/** Returns the largest change of an unknown by one of several calls of {@link minimizeTerms}. */
export function longestStep(step: number): number {
  return LONGEST_STEP * SHRINKING ** Math.max(0, step - BOLD_STEPS);
}

/** Seconds by which a loop is continued at both ends. */
const OVERLAP = 1;

export interface Terms {
  /** Unknowns per frame. */
  readonly width: number;
  /** Weight of each unknown: how much more than others it resists a change. */
  readonly resistance: readonly number[];
  /** First term of every frame, then the number of terms. */
  readonly starts: number[];
  /** Wanted value of every term, with all unknowns at 0. */
  readonly offsets: number[];
  /** `width` numbers per term. */
  readonly gradients: number[];
  /** Weight of every term; negative for one-sided terms of that weight. */
  readonly weights: number[];
}

export function createTerms(resistance: readonly number[]): Terms {
  return { width: resistance.length, resistance, starts: [0], offsets: [], gradients: [], weights: [] };
}

/** Returns the frame at a position of a path that continues a loop for so many frames at both ends. */
function frameAt(k: number, more: number, period: number): number {
  return more === 0 ? k : (k - more + 2 * period) % period;
}

/** Adds a weight between the unknowns of a frame and those of another frame, so many ahead. */
function addBetween(band: Float64Array, resistance: readonly number[], k: number, ahead: number, weight: number): void {
  const width = resistance.length;
  const stride = 2 * width + 1;
  for (let c = 0; c < width; c++) band[stride * (width * k + c) + width * ahead] += resistance[c] * weight;
}

/**
 * Minimizes the energy of a list of terms.
 *
 * @param unknowns `width` numbers per frame, radians: the values at which one-sided terms are chosen first; receives the minimum, as far as one step goes.
 * @param longest Largest change of an unknown, radians, from {@link longestStep}: a longer step is shortened as a whole, so that it stays smooth.
 */
export function minimizeTerms(
  { width, resistance, starts, offsets, gradients, weights }: Terms,
  unknowns: Float64Array,
  { step, loops, cuts }: CutTiming,
  longest: number,
): void {
  const count = unknowns.length / width;
  const period = count - 1;
  const more = loops && count > 2 ? Math.min(period, Math.ceil(OVERLAP / step)) : 0;
  const total = count + 2 * more;
  const diagonals = 2 * width;
  const stride = diagonals + 1;
  const solution = new Float64Array(width * total);
  for (let k = 0; k < total; k++) {
    for (let c = 0; c < width; c++) solution[width * k + c] = unknowns[width * frameAt(k, more, period) + c];
  }
  const band = new Float64Array(stride * width * total);
  const right = new Float64Array(width * total);
  const [slope, bend] = [ARM_STIFFNESS / step ** 2, ARM_BENDING / step ** 4];
  /** Terms that count, by their order over all frames. */
  const counts: boolean[] = [];
  for (let choice = 0; choice < CHOICES; choice++) {
    band.fill(0);
    right.fill(0);
    let hasChanged = choice === 0;
    for (let k = 0, n = 0; k < total; k++) {
      const u = width * k;
      const frame = frameAt(k, more, period);
      for (let i = starts[frame]; i < starts[frame + 1]; i++, n++) {
        // A term of one arm has no gradient for the other one.
        let from = width * i;
        let to = from + width;
        while (from < to && gradients[from] === 0) from++;
        while (from < to && gradients[to - 1] === 0) to--;
        /** From a position in the gradients to its unknown. */
        const shift = u - width * i;
        let isCounted = true;
        if (weights[i] < 0) {
          let value = offsets[i];
          for (let c = from; c < to; c++) value -= gradients[c] * solution[shift + c];
          isCounted = value > 0;
        }
        if (counts[n] !== isCounted) hasChanged = true;
        counts[n] = isCounted;
        if (!isCounted) continue;
        for (let c = from; c < to; c++) {
          const weight = Math.abs(weights[i]) * gradients[c];
          if (weight === 0) continue;
          right[shift + c] += weight * offsets[i];
          const diagonal = stride * (shift + c) - c;
          for (let d = c; d < to; d++) band[diagonal + d] += weight * gradients[d];
        }
      }
    }
    // The same terms have the same minimum.
    if (!hasChanged) break;
    let isCut = true;
    for (let k = 0; k < total; k++) {
      const wasCut = isCut;
      addBetween(band, resistance, k, 0, 1);
      if (k + 1 === total) break;
      const next = frameAt(k + 1, more, period);
      isCut = cuts[more > 0 && next === 0 ? period : next] === 1;
      if (isCut) continue;
      addBetween(band, resistance, k, 0, slope);
      addBetween(band, resistance, k + 1, 0, slope);
      addBetween(band, resistance, k, 1, -slope);
      if (k > 0 && !wasCut) {
        addBetween(band, resistance, k - 1, 0, bend);
        addBetween(band, resistance, k, 0, 4 * bend);
        addBetween(band, resistance, k + 1, 0, bend);
        addBetween(band, resistance, k - 1, 1, -2 * bend);
        addBetween(band, resistance, k, 1, -2 * bend);
        addBetween(band, resistance, k - 1, 2, bend);
      }
    }
    solveBand(band, diagonals, right);
    solution.set(right);
  }
  const first = width * more;
  let most = longest;
  for (let u = 0; u < unknowns.length; u++) most = Math.max(most, Math.abs(solution[first + u] - unknowns[u]));
  for (let u = 0; u < unknowns.length; u++) unknowns[u] += (longest / most) * (solution[first + u] - unknowns[u]);
  if (more > 0) unknowns.copyWithin(width * period, 0, width);
}
