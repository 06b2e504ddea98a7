import { describe, expect, it } from 'vitest';
import { createJointMapper } from '../../../../../src/core/skeleton/joint-mapper.ts';
import {
  applyShapes,
  weightedShapes,
  weightsForMesh,
} from '../../../../../src/formats/usd/skel/deform/apply-blend-shapes.ts';
import { type BlendShape, createBlendShape } from '../../../../../src/formats/usd/skel/deform/blend-shape.ts';

const none: number[] = [];
const offsets = (...numbers: number[]): { offsets: number[]; normalOffsets: number[] } => ({
  offsets: numbers,
  normalOffsets: none,
});
/** In-betweens at a quarter and at half, as in the text of UsdSkel. */
const quarters = createBlendShape('/Q', null, offsets(1, 0, 0), [
  { name: 'quarter', weight: 0.25, ...offsets(10, 0, 0) },
  { name: 'half', weight: 0.5, ...offsets(100, 0, 0) },
]);
const plain = createBlendShape('/P', [1], offsets(0, 0, 1), []);

function apply(targets: (BlendShape | null)[], weights: number[], points: number[], normals: number[] | null = null) {
  const base = { positions: Float64Array.from(points), normals: normals && Float64Array.from(normals), tangents: null };
  const reason = applyShapes(targets, weightedShapes(targets, weights), base, base);
  return { points: [...base.positions], normals: base.normals && [...base.normals], reason };
}

describe('weightedShapes', () => {
  it.each([
    [-0.25, [[1, -1]]],
    [0, []],
    [0.125, [[1, 0.5]]],
    [0.25, [[1, 1]]],
    [
      0.3,
      [
        [1, 0.8],
        [2, 0.2],
      ],
    ],
    [0.5, [[2, 1]]],
    [
      0.75,
      [
        [2, 0.5],
        [0, 0.5],
      ],
    ],
    [1, [[0, 1]]],
    [
      2,
      [
        [2, -2],
        [0, 3],
      ],
    ],
  ])('at %d: the shapes next to the weight, extrapolated outside', (weight, expected) => {
    const found = weightedShapes([quarters], [weight]).map((shape) => [shape.shape, Number(shape.weight.toFixed(12))]);
    expect(found).toEqual(expected);
  });

  it('gives a shape without in-betweens its weight, even 0', () => {
    expect(weightedShapes([plain], [0])).toEqual([{ target: 0, subShape: 1, shape: 0, weight: 0 }]);
    expect(weightedShapes([plain], [-3])[0].weight).toBe(-3);
  });

  it('ignores missing targets', () => {
    expect(weightedShapes([null, plain, quarters], [1, 1, 0.25])).toEqual([
      { target: 1, subShape: 1, shape: 0, weight: 1 },
      { target: 2, subShape: 3, shape: 1, weight: 1 },
    ]);
  });

  it('weightsForMesh: maps weights by name, 0 for missing names', () => {
    const map = createJointMapper(['x', 'y', 'z'], ['z', 'w', 'x']);
    expect([...weightsForMesh(map, [1, 2, 3])]).toEqual([3, 0, 1]);
    // The example of the text of UsdSkel.
    const example = createJointMapper(['A', 'B', 'C', 'D'], ['B', 'A']);
    expect([...weightsForMesh(example, [1, 0.75, 0, 0])]).toEqual([0.75, 1]);
  });
});

describe('applyShapes', () => {
  it('adds offsets to all points or some of them', () => {
    expect(apply([quarters, plain], [2, 3], [0, 0, 0]).reason).toBe('/P moves vertex 1, expected one of 0…0');
    expect(apply([null, plain], [5, 3], [0, 0, 0, 1, 1, 1]).points).toEqual([0, 0, 0, 1, 1, 4]);
    expect(apply([quarters], [2], [1, 2, 3]).points).toEqual([1 - 200 + 3, 2, 3]);
  });

  it('leaves the mesh unchanged if a weighted shape does not fit', () => {
    const { points, reason } = apply([quarters, plain], [1, 1], [0, 0, 0, 1, 1, 1]);
    expect(points).toEqual([0, 0, 0, 1, 1, 1]);
    expect(reason).toBe('/Q has 3 numbers of positions for 2 vertices, expected 6');
    expect(apply([quarters, plain], [0, 1], [0, 0, 0, 1, 1, 1])).toEqual({
      points: [0, 0, 0, 1, 1, 2],
      normals: null,
      reason: null,
    });
  });

  it('adds normal offsets and normalizes; normal offsets alone do not change points', () => {
    const shape = createBlendShape('/N', null, { offsets: none, normalOffsets: [4, 0, -1] }, []);
    expect(apply([shape], [0.5], [1, 1, 1], [0, 0, 2])).toEqual({
      points: [1, 1, 1],
      normals: [0.8, 0, 0.6].map((value) => expect.closeTo(value, 12)),
      reason: null,
    });
  });
});
