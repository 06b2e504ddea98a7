/** In-between shapes of UsdSkel: shapes that a blend shape has at weights other than 1, piecewise linear between them. */
import type { Floats } from '../math/floats.ts';
import { validity } from '../report/validity.ts';

/** The shapes of one blend shape, sorted by weight. Plain data. */
export interface InBetweenPlan {
  /** Number of in-betweens, including ignored ones. */
  readonly inBetweenCount: number;
  /** Ascending weights of the null shape (0), the primary shape (1) and the valid in-betweens. */
  readonly weights: Float64Array;
  /** The shape at each weight: −1 the null shape, 0 the primary shape, i + 1 in-between i. */
  readonly shapes: Int32Array;
  /** Why in-betweens are ignored: one sentence each, for the first twenty. They are errors in the file. */
  readonly ignored: readonly string[];
}

/** Weights within this distance count as the same, as in OpenUSD. */
const SAME_WEIGHT = 1e-6;

/**
 * Plans the in-betweens of a blend shape. As UsdSkel's documentation requires, it ignores weights that are not finite, the weights 0 and 1 of the null
 * and the primary shape, and all but the first of in-betweens with the same weight. Weights may be negative or above 1. Returns a plan for {@link
 * inBetweenWeights}.
 */
export function planInBetweens(inBetweenWeights: ArrayLike<number>): InBetweenPlan {
  const reasons: string[] = [];
  const all = Array.from(inBetweenWeights, (weight, i) => ({ weight, shape: i + 1 }));
  const valid = all.filter(({ weight, shape }) => {
    const reason = reasonAgainst(weight);
    if (reason !== null) reasons.push(`in-between ${shape - 1} has weight ${weight}${reason}`);
    return reason === null;
  });
  valid.sort((a, b) => a.weight - b.weight);
  const kept = valid.filter(({ weight, shape }, i) => {
    if (i === 0 || weight - valid[i - 1].weight > SAME_WEIGHT) return true;
    reasons.push(
      `in-between ${shape - 1} has weight ${weight}, the same as in-between ${valid[i - 1].shape - 1}; assign a different weight`,
    );
    return false;
  });
  kept.push({ weight: 0, shape: -1 }, { weight: 1, shape: 0 });
  kept.sort((a, b) => a.weight - b.weight);
  return {
    inBetweenCount: all.length,
    weights: Float64Array.from(kept, ({ weight }) => weight),
    shapes: Int32Array.from(kept, ({ shape }) => shape),
    ignored: validity(reasons).reasons,
  };
}

/** Returns why an in-between cannot have a weight, as the end of a sentence; null for a valid weight. */
function reasonAgainst(weight: number): string | null {
  if (!Number.isFinite(weight)) return '; expected a finite number';
  if (Math.abs(weight) <= SAME_WEIGHT) return ', the weight of the null shape; assign a different weight';
  if (Math.abs(weight - 1) <= SAME_WEIGHT) return ', the weight of the primary shape; assign a different weight';
  return null;
}

/**
 * Computes the weights of the shapes at a weight of the blend shape. At most two are nonzero: those of the neighboring shapes. Beyond the first and
 * last shape the outer segment is extrapolated without bounds. Without in-betweens the primary shape has the weight itself. `out` receives, from
 * offset o, the primary shape, then the in-betweens in their original order.
 */
export function inBetweenWeights(out: Floats, o: number, plan: InBetweenPlan, weight: number): void {
  const { weights, shapes, inBetweenCount } = plan;
  for (let shape = 0; shape <= inBetweenCount; shape++) out[o + shape] = 0;
  let upper = 1;
  while (upper < weights.length - 1 && weights[upper] <= weight) upper++;
  const lower = upper - 1;
  const fraction = (weight - weights[lower]) / (weights[upper] - weights[lower]);
  if (shapes[lower] >= 0) out[o + shapes[lower]] = 1 - fraction;
  if (shapes[upper] >= 0) out[o + shapes[upper]] = fraction;
}
