/** Distributions of figures over time. */

/** Distribution of a figure. */
export interface Spread {
  /** Mean. */
  readonly mean: number;
  /** 5th percentile. */
  readonly p5: number;
  /** 95th percentile. */
  readonly p95: number;
  /** Maximum. */
  readonly max: number;
}

export function spreadOf(values: ArrayLike<number>): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const sum = sorted.reduce((a, b) => a + b, 0);
  return { mean: sorted.length === 0 ? 0 : sum / sorted.length, p5: at(0.05), p95: at(0.95), max: at(1) };
}

/** A figure of both motions. */
export interface SourceAndResult<Source = number, Result = Source> {
  /** Of the source. */
  readonly source: Source;
  /** Of the result. */
  readonly result: Result;
}

/** Mean and largest value over time. */
export interface MeanAndMax {
  /** The mean. */
  readonly mean: number;
  /** The largest value. */
  readonly max: number;
}

/** Angles between limbs of source and result, degrees. */
export interface SidedAngles {
  /** Between limbs of the same side. */
  readonly straight: number;
  /** Between limbs of opposite sides: smaller than `straight` where left and right were exchanged. */
  readonly crossed: number;
}
