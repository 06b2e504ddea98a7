/** How deviations become scores, and how scores are compared. */

/** Scores a deviation with a Gaussian: 1 at 0, 0.6 at one `width`, 0.01 at three. `width`: the standard deviation, in the unit of `deviation`. */
export function gaussian(deviation: number, width: number): number {
  return Math.exp(-0.5 * (deviation / width) ** 2);
}

/** Scores that differ by less than this fraction are equal: the rounding of stored positions decides nothing. */
const EQUAL = 1e-3;

/** Tests whether a score is clearly higher than another. Of equal scores the first one is kept. */
export function isBetter(score: number, than: number): boolean {
  return score > than * (1 + EQUAL);
}
