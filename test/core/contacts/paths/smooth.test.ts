import { expect, it } from 'vitest';
import { smooth, smoothMaximum } from '../../../../src/core/contacts/paths/smooth.ts';

it('smooth: keeps a constant path, also where frames are closer than any window', () => {
  const path = new Float64Array(5).fill(3);
  for (const step of [1 / 60, 1e-43, 0]) expect(smooth(path, 0.1, step, false).length).toBe(5);
  for (const value of smooth(path, 0.1, 1 / 60, true)) expect(value).toBeCloseTo(3, 12);
});

it('smoothMaximum: is nowhere below the path by more than its smoothing', () => {
  const path = Float64Array.from({ length: 60 }, (_, k) => Math.max(0, 10 - Math.abs(k - 30)));
  const above = smoothMaximum(path, 0.05, 1 / 60, false);
  expect(above.every((value, k) => value > path[k] - 1)).toBe(true);
  expect(smoothMaximum(path, 0.05, 1e-43, false).length).toBe(60);
});
