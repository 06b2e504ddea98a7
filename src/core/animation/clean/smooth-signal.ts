/**
 * Smooths a noisy signal without a delay, by as much as each moment allows: little where the signal changes fast, such as in a punch, much where it rests.
 *
 * One smoothing is the signal x that minimizes Σ (y − x)² + Σ λ (Δ³x)²: for a constant λ a low-pass filter with the response 1 / (1 + λ (2 sin ω/2)⁶) (Whittaker 1923; Eilers 2003).
 * Several λ are tried. For each time the one is taken whose error is least by Stein's unbiased estimate, from the residuals nearby; λ then changes smoothly with time.
 */

/** Smallest λ, the factor between those that are tried, and their number: cut frequencies from 1/4 to 1/63 of the frame rate, a factor of 1.26 apart. */
const LEAST_LAMBDA = 0.125;
const LAMBDA_FACTOR = 4;
const LAMBDAS = 13;
/** Standard deviation of the window of residuals, seconds and at least frames: shorter ones follow the noise, longer ones see no punch. Tuned on known clips with noise of 1 cm. */
const WINDOW = 0.06;
const LEAST_WINDOW = 2.5;
/** How sharply the best λ is chosen: λ are averaged with the weights exp(−SHARPNESS · error), errors in variances of the noise. Tuned likewise. */
const SHARPNESS = 6;

/**
 * Minimizes Σ w (y − x)² + Σ λ (Δ³x)²: a system with seven diagonals. `out` receives x, `width` numbers per frame; `values` are y, `weights` are w
 * per frame, and `lambda` is λ per third difference, which is that of the frame and the three after it.
 */
function solve(
  out: Float64Array,
  values: Float64Array,
  width: number,
  weights: Float64Array,
  lambda: Float64Array,
): void {
  const n = weights.length;
  const diagonals = [0, 1, 2, 3].map(() => new Float64Array(n));
  const [d, l1, l2, l3] = diagonals;
  d.set(weights);
  const row = [-1, 3, -3, 1];
  for (let r = 0; r + 3 < n; r++)
    for (let i = 0; i < 4; i++) for (let j = 0; j <= i; j++) diagonals[i - j][r + i] += lambda[r] * row[i] * row[j];
  // L D Lᵀ in place: l1, l2, l3 of a row are its factors for the one, two and three columns before it.
  for (let i = 0; i < n; i++) {
    if (i >= 3) l3[i] /= d[i - 3];
    if (i >= 2) l2[i] = (l2[i] - (i >= 3 ? l3[i] * d[i - 3] * l1[i - 2] : 0)) / d[i - 2];
    if (i >= 1) {
      let sum = l1[i];
      if (i >= 2) sum -= l2[i] * d[i - 2] * l1[i - 1];
      if (i >= 3) sum -= l3[i] * d[i - 3] * l2[i - 1];
      l1[i] = sum / d[i - 1];
    }
    let sum = d[i];
    if (i >= 1) sum -= l1[i] ** 2 * d[i - 1];
    if (i >= 2) sum -= l2[i] ** 2 * d[i - 2];
    if (i >= 3) sum -= l3[i] ** 2 * d[i - 3];
    d[i] = sum;
  }
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < width; c++) {
      let sum = weights[i] * values[width * i + c];
      if (i >= 1) sum -= l1[i] * out[width * (i - 1) + c];
      if (i >= 2) sum -= l2[i] * out[width * (i - 2) + c];
      if (i >= 3) sum -= l3[i] * out[width * (i - 3) + c];
      out[width * i + c] = sum;
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = 0; c < width; c++) {
      let sum = out[width * i + c] / d[i];
      if (i + 1 < n) sum -= l1[i + 1] * out[width * (i + 1) + c];
      if (i + 2 < n) sum -= l2[i + 2] * out[width * (i + 2) + c];
      if (i + 3 < n) sum -= l3[i + 3] * out[width * (i + 3) + c];
      out[width * i + c] = sum;
    }
  }
}

/** Share of a value in its own smoothed value. */
function leverage(lambda: number): number {
  const steps = 512;
  let sum = 0;
  for (let k = 0; k < steps; k++) sum += 1 / (1 + lambda * (2 * Math.sin((Math.PI * (k + 0.5)) / (2 * steps))) ** 6);
  return sum / steps;
}

/** Means of numbers in a Gaussian window, weighted by `counts`. */
function windowed(values: Float64Array, counts: Float64Array, deviation: number): Float64Array {
  const reach = Math.ceil(3 * deviation);
  const window = Float64Array.from({ length: reach + 1 }, (_, k) => Math.exp(-0.5 * (k / deviation) ** 2));
  return Float64Array.from(values, (_, i) => {
    let sum = 0;
    let total = 0;
    for (let j = Math.max(0, i - reach); j <= Math.min(values.length - 1, i + reach); j++) {
      const share = counts[j] * window[Math.abs(i - j)];
      sum += share * values[j];
      total += share;
    }
    return total > 0 ? sum / total : 0;
  });
}

/**
 * Bridges frames of a signal smoothly. `values`: `width` numbers per frame; those of the bridged frames are replaced. `weights`: per frame 1, or 0
 * where the value is to be bridged. `lambda`: how far the curve may leave noisy values before and after a gap: 0.001 for exact ones.
 */
export function bridgeSignal(values: Float64Array, width: number, weights: Float64Array, lambda: number): void {
  const out = new Float64Array(values.length);
  solve(out, values, width, weights, new Float64Array(weights.length).fill(lambda));
  for (let k = 0; k < values.length; k++) if (weights[Math.floor(k / width)] === 0) values[k] = out[k];
}

/**
 * Smooths a signal. `values`: `width` numbers per frame. `weights`: per frame 1, or 0 where the value is to be bridged. `variance`: variance of the
 * noise, of all numbers of a frame together, above 0.
 */
export function smoothSignal(
  values: Float64Array,
  width: number,
  weights: Float64Array,
  variance: number,
  step: number,
): Float64Array {
  const n = weights.length;
  const out = new Float64Array(values.length);
  const deviation = Math.max(LEAST_WINDOW, WINDOW / step);
  const residuals = new Float64Array(n);
  const lambdas = Array.from({ length: LAMBDAS }, (_, k) => LEAST_LAMBDA * LAMBDA_FACTOR ** k);
  const errors = lambdas.map((lambda) => {
    solve(out, values, width, weights, new Float64Array(n).fill(lambda));
    residuals.fill(0);
    for (let k = 0; k < values.length; k++) residuals[Math.floor(k / width)] += (values[k] - out[k]) ** 2 / variance;
    const share = 2 * leverage(lambda);
    return windowed(residuals, weights, deviation).map((value) => value + share);
  });
  const logs = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const least = errors.reduce((best, error) => Math.min(best, error[i]), Number.POSITIVE_INFINITY);
    let sum = 0;
    let total = 0;
    for (let k = 0; k < LAMBDAS; k++) {
      const share = Math.exp(SHARPNESS * (least - errors[k][i]));
      sum += share * Math.log(lambdas[k]);
      total += share;
    }
    logs[i] = sum / total;
  }
  const smooth = windowed(logs, new Float64Array(n).fill(1), deviation);
  // A third difference belongs to the middle of its four frames.
  const at = (frame: number): number => smooth[Math.min(n - 1, frame)];
  solve(
    out,
    values,
    width,
    weights,
    Float64Array.from(smooth, (_, frame) => Math.exp((at(frame + 1) + at(frame + 2)) / 2)),
  );
  return out;
}
