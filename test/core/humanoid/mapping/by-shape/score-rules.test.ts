import { expect, it } from 'vitest';
import { gaussian, isBetter } from '../../../../../src/core/humanoid/mapping/by-shape/score-rules.ts';

it('gaussian: decreases with the deviation', () => {
  expect(gaussian(0, 1)).toBe(1);
  expect(gaussian(1, 1)).toBeCloseTo(0.607, 3);
  expect(gaussian(-3, 1)).toBeLessThan(0.02);
});

it('isBetter: needs a clear difference', () => {
  expect(isBetter(1.01, 1)).toBe(true);
  expect(isBetter(1.0005, 1)).toBe(false);
  expect(isBetter(0, 0)).toBe(false);
  expect(isBetter(Number.NaN, 0)).toBe(false);
});
