import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../src/core/asset/geometry-budget.ts';
import { pointShape, shapesOfVertices } from '../../../../src/formats/usd/read/point-shapes.ts';

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
/** Vertices 0 and 3 are of point 0. */
const POINTS = Int32Array.of(0, 1, 2, 0);

describe('a shape by point', () => {
  it('has points in order and adds offsets of a point that comes twice', () => {
    const { shape, reason } = pointShape(shapeOf([2, 0, 2], [1, 0, 0, 5, 0, 0, 2, 0, 0]), 3);
    expect(reason).toBeNull();
    expect([...(shape.points ?? [])]).toEqual([0, 2]);
    expect([...(shape.offsets ?? [])]).toEqual([5, 0, 0, 3, 0, 0]);
  });

  it('moves nothing where it does not fit, and says why', () => {
    const { shape, reason } = pointShape(shapeOf([7], [1, 0, 0]), 3);
    expect(reason).toMatch(/^it moves vertex 7, expected one of 0…2/);
    expect(shape.points).toHaveLength(0);
    expect(pointShape(shapeOf(null, [1, 0, 0]), 3).reason).toMatch(/expected 9/);
  });

  it('has 0 for what is not finite', () => {
    const { shape } = pointShape(shapeOf([0], [Number.NaN, 1, Number.POSITIVE_INFINITY]), 3);
    expect([...(shape.offsets ?? [])]).toEqual([0, 1, 0]);
  });
});

describe('the morph target of vertices', () => {
  it('moves every vertex of the points that move', () => {
    const { shape } = pointShape(shapeOf([0], [1, 2, 3]), 3);
    const [target] = shapesOfVertices([shape], POINTS, null, BUDGET);
    expect([...(target.vertices ?? [])]).toEqual([0, 3]);
    expect([...(target.positions ?? [])]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(target.normals).toBeNull();
  });

  it('is of all vertices where the shape is of all points', () => {
    const { shape } = pointShape(shapeOf(null, [1, 0, 0, 2, 0, 0, 3, 0, 0]), 3);
    const [target] = shapesOfVertices([shape], POINTS, null, BUDGET);
    expect(target.vertices).toBeNull();
    expect([...(target.positions ?? [])]).toEqual([1, 0, 0, 2, 0, 0, 3, 0, 0, 1, 0, 0]);
  });

  it('turns normals that were made shorter by as much less', () => {
    const { shape } = pointShape(shapeOf([1], null, [0, 1, 0]), 3);
    const normals = {
      width: 3,
      values: Float32Array.of(0, 0, 1, 0, 0, 2, 0, 0, 1),
      indices: Int32Array.of(0, 1, 2, 0),
      interpolation: 'vertex',
    } as const;
    const turned = { values: normals, cornerOf: Int32Array.of(0, 1, 2, 3) };
    const [target] = shapesOfVertices([shape], POINTS, turned, BUDGET);
    expect([...(target.normals ?? [])]).toEqual([0, 0.5, 0]);
    expect(target.positions).toBeNull();
  });
});
