/** Random values of the field for fast-check: vectors, rotations, TRS. */
import fc from 'fast-check';

/** A finite number of −limit…limit, without the denormal extremes that fc.double likes. */
export function real(limit = 10): fc.Arbitrary<number> {
  return fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => (n / 1_000_000) * limit);
}

/** Three numbers of −limit…limit. */
export function vector(limit = 10): fc.Arbitrary<number[]> {
  return fc.array(real(limit), { minLength: 3, maxLength: 3 });
}

/** A direction of length 1. */
export function direction(): fc.Arbitrary<number[]> {
  return vector(1)
    .filter((v) => Math.hypot(...v) > 0.01)
    .map((v) => v.map((x) => x / Math.hypot(...v)));
}

/** A unit quaternion. */
export function rotation(): fc.Arbitrary<number[]> {
  return fc
    .array(real(1), { minLength: 4, maxLength: 4 })
    .filter((q) => Math.hypot(...q) > 0.01)
    .map((q) => q.map((x) => x / Math.hypot(...q)));
}

/** Ten floats: translation, rotation, scale of 0.1…10. */
export function trs(): fc.Arbitrary<number[]> {
  const factor = fc.integer({ min: 100, max: 10_000 }).map((n) => n / 1000);
  return fc
    .tuple(vector(), rotation(), fc.tuple(factor, factor, factor))
    .map(([translation, turn, scale]) => [...translation, ...turn, ...scale]);
}
