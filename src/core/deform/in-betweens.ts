/** In-between shapes of UsdSkel: shapes that a blend shape takes at other weights than 1, piecewise linear between them. */
import type { Floats } from '../math/floats.ts';
import { validity } from '../report/validity.ts';

/** The shapes of one blend shape in order of weight. Plain data. */
export interface InBetweenPlan {
  /** In-betweens that were given, the ignored ones among them. */
  readonly inBetweenCount: number;
  /** Weights of the sub-shapes, rising: the null shape at 0, the primary shape at 1 and the in-betweens that count. */
  readonly weights: Float64Array;
  /** Which shape each of them is: −1 the null shape, 0 the primary shape, i + 1 in-between i. */
  readonly shapes: Int32Array;
  /** Why in-betweens are ignored, a sentence each, the first twenty; they are errors of whoever made the file. */
  readonly ignored: readonly string[];
}

/** How near weights may come to each other before they count as the same, as in OpenUSD. */
const SAME_WEIGHT = 1e-6;

/**
 * Plans the in-betweens of a blend shape from the weights at which they stand. Ignored, as UsdSkel's documentation asks for, are
 * weights that are not finite, those of 0 and 1, where the null and the primary shape stand, and of in-betweens with the same weight all
 * but the first. Weights may be negative and above 1.
 */
export function planInBetweens(inBetweenWeights: ArrayLike<number>): InBetweenPlan {
  const reasons: string[] = [];
  const given = Array.from(inBetweenWeights, (weight, i) => ({ weight, shape: i + 1 }));
  const placed = given.filter(({ weight, shape }) => {
    const reason = reasonAgainst(weight);
    if (reason !== null) reasons.push(`in-between ${shape - 1} has weight ${weight}${reason}`);
    return reason === null;
  });
  placed.sort((a, b) => a.weight - b.weight);
  const kept = placed.filter(({ weight, shape }, i) => {
    if (i === 0 || weight - placed[i - 1].weight > SAME_WEIGHT) return true;
    reasons.push(
      `in-between ${shape - 1} has weight ${weight}, where in-between ${placed[i - 1].shape - 1} stands; give it one of its own`,
    );
    return false;
  });
  kept.push({ weight: 0, shape: -1 }, { weight: 1, shape: 0 });
  kept.sort((a, b) => a.weight - b.weight);
  return {
    inBetweenCount: given.length,
    weights: Float64Array.from(kept, ({ weight }) => weight),
    shapes: Int32Array.from(kept, ({ shape }) => shape),
    ignored: validity(reasons).reasons,
  };
}

/** Why no in-between can stand at a weight, as the end of a sentence; null when one can. */
function reasonAgainst(weight: number): string | null {
  if (!Number.isFinite(weight)) return '; expected a finite number';
  if (Math.abs(weight) <= SAME_WEIGHT) return ', where the null shape stands; give it one of its own';
  if (Math.abs(weight - 1) <= SAME_WEIGHT) return ', where the primary shape stands; give it one of its own';
  return null;
}

/**
 * The weights of the shapes of a blend shape that has the given weight, `inBetweenCount + 1` floats: the primary shape, then the
 * in-betweens as they were given. At most two are not 0: those around the weight; beyond the last shapes the line through the
 * last two goes on, without bounds. Without in-betweens the primary shape has the weight itself.
 */
export function inBetweenWeights(out: Floats, o: number, plan: InBetweenPlan, weight: number): void {
  const { weights, shapes, inBetweenCount } = plan;
  for (let shape = 0; shape <= inBetweenCount; shape++) out[o + shape] = 0;
  let upper = 1;
  while (upper < weights.length - 1 && weights[upper] <= weight) upper++;
  const lower = upper - 1;
  const share = (weight - weights[lower]) / (weights[upper] - weights[lower]);
  if (shapes[lower] >= 0) out[o + shapes[lower]] = 1 - share;
  if (shapes[upper] >= 0) out[o + shapes[upper]] = share;
}
