import { expect, it } from 'vitest';
import { changedValues, maxMagnitude } from '../../../../src/formats/gltf/normalize/changed-values.ts';

it('changedValues: keeps the bits of values within the tolerance and replaces the others', () => {
  const old = Float32Array.of(0.1, 2, 3);
  const changed = changedValues(old, Float64Array.of(0.1 + 1e-6, 2.5, 3), 1e-5);
  expect(changed).toEqual(Float32Array.of(0.1, 2.5, 3));
  expect(old).toEqual(Float32Array.of(0.1, 2, 3));
});

it('changedValues: returns null where nothing changes, also for NaN', () => {
  expect(changedValues(Float32Array.of(1, 2), Float64Array.of(1, Number.NaN), 1e-5)).toBeNull();
});

it('maxMagnitude: returns the largest absolute value', () => {
  expect(maxMagnitude([1, -3, 2])).toBe(3);
  expect(maxMagnitude([])).toBe(0);
});
