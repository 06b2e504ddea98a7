import { describe, expect, test } from 'vitest';
import { slopeOf } from '../../../bench/scale/exponent.ts';

describe('slopeOf', () => {
  test('returns the exponent of a power of the size', () => {
    const sizes = [10, 20, 40, 80];
    const slope = slopeOf(
      sizes.map((size) => Math.log(size)),
      sizes.map((size) => Math.log(3 * size ** 1.25)),
    );
    expect(slope).toBeCloseTo(1.25, 10);
  });
});
