import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../../src/core/asset/geometry-budget.ts';
import { toMorphTargets, toPointOffsets } from '../../../../../src/formats/usd/read/meshes/shape-offsets.ts';

function shapeOf(
  vertices: readonly number[] | null,
  positions: readonly number[] | null,
  normals: readonly number[] | null = null,
) {
  return {
    vertices: vertices === null ? null : Int32Array.from(vertices),
    positions: positions === null ? null : Float32Array.from(positions),
    normals: normals === null ? null : Float32Array.from(normals),
    tangents: null,
  };
}

const BUDGET = geometryBudget('USD_LIMIT');
/** Vertices 0 and 3 have point 0. */
const POINTS = Int32Array.of(0, 1, 2, 0);

describe('toPointOffsets', () => {
  it('sorts points and sums the offsets of repeated points', () => {
    const { shape, reason } = toPointOffsets(shapeOf([2, 0, 2], [1, 0, 0, 5, 0, 0, 2, 0, 0]), 3);
    expect(reason).toBeNull();
    expect([...(shape.points ?? [])]).toEqual([0, 2]);
    expect([...(shape.offsets ?? [])]).toEqual([5, 0, 0, 3, 0, 0]);
  });

  it('returns empty offsets and the reason for shapes that do not fit', () => {
    const { shape, reason } = toPointOffsets(shapeOf([7], [1, 0, 0]), 3);
    expect(reason).toMatch(/^it moves vertex 7, expected one of 0…2/);
    expect(shape.points).toHaveLength(0);
    expect(toPointOffsets(shapeOf(null, [1, 0, 0]), 3).reason).toMatch(/expected 9/);
  });

  it('replaces non-finite offsets by 0', () => {
    const { shape } = toPointOffsets(shapeOf([0], [Number.NaN, 1, Number.POSITIVE_INFINITY]), 3);
    expect([...(shape.offsets ?? [])]).toEqual([0, 1, 0]);
  });
});

describe('toMorphTargets', () => {
  it('offsets every vertex of the affected points', () => {
    const { shape } = toPointOffsets(shapeOf([0], [1, 2, 3]), 3);
    const [target] = toMorphTargets([shape], POINTS, null, BUDGET);
    expect([...(target.vertices ?? [])]).toEqual([0, 3]);
    expect([...(target.positions ?? [])]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(target.normals).toBeNull();
  });

  it('offsets all vertices if the shape offsets all points', () => {
    const { shape } = toPointOffsets(shapeOf(null, [1, 0, 0, 2, 0, 0, 3, 0, 0]), 3);
    const [target] = toMorphTargets([shape], POINTS, null, BUDGET);
    expect(target.vertices).toBeNull();
    expect([...(target.positions ?? [])]).toEqual([1, 0, 0, 2, 0, 0, 3, 0, 0, 1, 0, 0]);
  });

  it('scales normal offsets by the factor that normalized the normal', () => {
    const { shape } = toPointOffsets(shapeOf([1], null, [0, 1, 0]), 3);
    const normals = {
      width: 3,
      values: Float32Array.of(0, 0, 1, 0, 0, 2, 0, 0, 1),
      indices: Int32Array.of(0, 1, 2, 0),
      interpolation: 'vertex',
    } as const;
    const morphed = { values: normals, cornerOf: Int32Array.of(0, 1, 2, 3) };
    const [target] = toMorphTargets([shape], POINTS, morphed, BUDGET);
    expect([...(target.normals ?? [])]).toEqual([0, 0.5, 0]);
    expect(target.positions).toBeNull();
  });
});
