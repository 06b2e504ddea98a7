import { expect, it } from 'vitest';
import { pointExtents } from '../../../src/core/deform/extents.ts';

it('pointExtents: returns minimum and maximum coordinates', () => {
  const out = new Float64Array(7);
  pointExtents(out, 1, Float32Array.of(1, -2, 3, -4, 5, Number.NaN, 0, 0, 0));
  expect([...out]).toEqual([0, -4, -2, 0, 1, 5, 3]);
});

it('pointExtents: returns an empty box for no points', () => {
  const out = new Float32Array(6);
  pointExtents(out, 0, []);
  expect(out[0] > out[3]).toBe(true);
  expect([...out]).toEqual([...Array(3).fill(Number.POSITIVE_INFINITY), ...Array(3).fill(Number.NEGATIVE_INFINITY)]);
});
