import { expect, it } from 'vitest';
import { geometryBudget } from '../../../../src/core/asset/geometry-budget.ts';
import { morphTargetsOf } from '../../../../src/formats/fbx/meshes/build-primitives.ts';
import type { FbxShape } from '../../../../src/formats/fbx/meshes/read-shapes.ts';

const doubled = Float64Array.of(2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1);
// Three control points, the second split into two vertices.
const vertices = {
  pointCount: 3,
  points: Int32Array.of(0, 1, 1, 2),
  corners: Int32Array.of(0, 1, 2, 3),
  normals: null,
  geometric: doubled,
  directions: doubled,
};
const shape = (points: number[], offsets: number[]): FbxShape =>
  ({ points: Int32Array.from(points), offsets: Float64Array.from(offsets), normals: null }) as unknown as FbxShape;

it('morphTargetsOf: moves every vertex of a moved control point, by the offset in node space', () => {
  const [target] = morphTargetsOf([shape([1], [0, 1, 0])], vertices, geometryBudget('FBX_LIMIT'));
  expect([...(target.vertices as Uint32Array)]).toEqual([1, 2]);
  expect([...(target.positions as Float32Array)]).toEqual([0, 2, 0, 0, 2, 0]);
  expect(target.normals).toBeNull();
});

it('morphTargetsOf: keeps several shapes separate', () => {
  const targets = morphTargetsOf([shape([0], [1, 0, 0]), shape([2], [0, 0, 1])], vertices, geometryBudget('FBX_LIMIT'));
  expect(targets.map((target) => [...(target.vertices as Uint32Array)])).toEqual([[0], [3]]);
});

it('morphTargetsOf: scales normal deltas like the normalized normals', () => {
  const normals = { name: '', width: 3, values: Float32Array.of(0, 0, 2), indices: Int32Array.of(0, 0, 0, 0) };
  const turning = { ...shape([0], [0, 0, 0]), normals: Float64Array.of(1, 0, 0) };
  const [target] = morphTargetsOf([turning], { ...vertices, normals }, geometryBudget('FBX_LIMIT'));
  expect([...(target.normals as Float32Array)]).toEqual([0.5, 0, 0]);
});
