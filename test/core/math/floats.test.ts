import { expect, it } from 'vitest';
import { clamp01 } from '../../../src/core/math/floats.ts';

it('clamp01: limits a number to 0…1; NaN becomes 0', () => {
  expect([-1, 0.5, 2, Number.NaN].map(clamp01)).toEqual([0, 0.5, 1, 0]);
});
