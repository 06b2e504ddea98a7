/** The growth of a cost. */

/**
 * Fits a line to points by least squares.
 *
 * @param x abscissas, at least two different ones.
 * @param y ordinates, as many.
 * @returns the slope; of logarithms, the exponent of growth.
 */
export function slopeOf(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const products = x.map((value, k) => (value - meanX) * (y[k] - meanY));
  return mean(products) / mean(x.map((value) => (value - meanX) ** 2));
}
