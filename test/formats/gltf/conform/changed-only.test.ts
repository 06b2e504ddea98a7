import { expect, it } from 'vitest';
import { changedOnly, largest } from '../../../../src/formats/gltf/conform/changed-only.ts';

it('keeps the bits of values that differ by less than the tolerance, and the new ones of the others', () => {
  const old = Float32Array.of(0.1, 2, 3);
  const changed = changedOnly(old, Float64Array.of(0.1 + 1e-6, 2.5, 3), 1e-5);
  expect(changed).toEqual(Float32Array.of(0.1, 2.5, 3));
  expect(old).toEqual(Float32Array.of(0.1, 2, 3));
});

it('gives nothing where all stay, also for values that are no numbers', () => {
  expect(changedOnly(Float32Array.of(1, 2), Float64Array.of(1, Number.NaN), 1e-5)).toBeNull();
});

it('finds the largest magnitude', () => {
  expect(largest([1, -3, 2])).toBe(3);
  expect(largest([])).toBe(0);
});
