import { describe, expect, test } from 'vitest';
import { applyLinear, toParentSpace } from '../../../src/core/retarget/transform-point.ts';

describe('applyLinear', () => {
  test('multiplies a matrix by a vector, also in place', () => {
    const v = Float64Array.of(1, 10, 100);
    applyLinear(v, 0, Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), v, 0);
    expect(v).toEqual(Float64Array.of(741, 852, 963));
  });
});

describe('toParentSpace', () => {
  test('scales, rotates and translates a point in place', () => {
    const point = Float64Array.of(1, 2, 3);
    // Scale by 2, rotate by 180° about z, move by (10, 20, 30).
    toParentSpace(point, Float64Array.of(0, 10, 20, 30, 0, 0, 1, 0, 2, 2, 2), 1);
    expect(point).toEqual(Float64Array.of(8, 16, 36));
  });
});
