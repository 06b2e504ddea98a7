import { describe, expect, test } from 'vitest';
import { solveBand } from '../../../../src/core/contacts/paths/minimize-terms.ts';
import { solveDense } from '../../../support/reference/contact-figures.ts';

describe('solveBand', () => {
  test('solves a system like elimination with pivoting', () => {
    const [size, width] = [9, 3];
    const value = (i: number, k: number): number => (k === 0 ? 9 + i : Math.sin(3 * i + 5 * k));
    const band = Float64Array.from({ length: size * (width + 1) }, (_, n) =>
      value(Math.floor(n / (width + 1)), n % (width + 1)),
    );
    const right = Float64Array.from({ length: size }, (_, i) => Math.cos(i));
    const dense = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => {
        const apart = Math.abs(i - j);
        return apart > width ? 0 : value(Math.min(i, j), apart);
      }),
    );
    const expected = solveDense(dense, [...right]);
    solveBand(band, width, right);
    for (const [i, x] of expected.entries()) expect(right[i]).toBeCloseTo(x, 12);
  });
});
