import { describe, expect, it } from 'vitest';
import { gatherCornerValues, polygonNormal } from '../../../src/core/asset/polygons.ts';

/** A square in the plane z = 0 seen from +z, a triangle in the plane x = 0 seen from −x, and a face of two corners. */
const POLYGONS = {
  points: Float64Array.of(0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0, 1),
  corners: Int32Array.of(0, 1, 2, 3, 0, 4, 3, 1, 2),
  starts: Int32Array.of(0, 4, 7, 9),
};

function normal(corner: number): number[] {
  const out = Float64Array.of(9, 9, 9);
  polygonNormal(out, POLYGONS, corner);
  return [...out];
}

describe('polygonNormal', () => {
  it('points to the side from which corners are counter-clockwise, with twice the area as its length', () => {
    for (const corner of [0, 1, 2, 3]) expect(normal(corner)).toEqual([0, 0, 8]);
    for (const corner of [4, 5, 6]) expect(normal(corner)).toEqual([-2, 0, 0]);
  });

  it('is zero for a face with two corners', () => {
    expect(normal(8).every((value) => value === 0)).toBe(true);
  });
});

it('gatherCornerValues: gathers values by corner, 0 for a corner without a value', () => {
  const layer = { width: 2, values: Float32Array.of(1, 2, 3, 4), indices: Int32Array.of(1, -1, 0) };
  expect([...gatherCornerValues(layer, Int32Array.of(0, 1, 2))]).toEqual([3, 4, 0, 0, 1, 2]);
  expect([...gatherCornerValues(layer, [2, 2, 0])]).toEqual([1, 2, 1, 2, 3, 4]);
});
