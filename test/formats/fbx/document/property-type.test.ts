import { expect, it } from 'vitest';
import { propertyType } from '../../../../src/formats/fbx/document/property-type.ts';

it('propertyType: numbers have the smallest type that holds them exactly', () => {
  const numbers = [1, -(2 ** 31), 2 ** 31, 2 ** 40, 0.5, -0, Number.NaN, 1e300, 2n];
  expect(numbers.map(propertyType).join('')).toBe('IILLDDDDL');
});

it('propertyType: arrays have the type of their numbers', () => {
  const arrays = [Int32Array.of(1), BigInt64Array.of(1n), Float32Array.of(1), Float64Array.of(1), Uint8Array.of(1)];
  expect(arrays.map(propertyType).join('')).toBe('ilfdR');
  expect([true, 'x'].map(propertyType).join('')).toBe('CS');
});
