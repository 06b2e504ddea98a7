import { expect, test } from 'vitest';
import { collectSkinPoints } from '../../../src/core/asset/collect-skin-points.ts';
import { TINY_PART, tinyGeometry } from '../../make/tiny-geometry.ts';
import { expectNear } from '../../near.ts';

const INFLUENCES = {
  kind: 'vertex',
  jointsPerVertex: 2,
  indices: Uint16Array.of(0, 1, 0, 1),
  weights: Float32Array.of(0.5, 0.5, 0, 1),
} as const;

test('a skinned vertex is a point with one weighted offset per joint that moves it', () => {
  const instance = { node: 2, mesh: 0, skin: 0, morphWeights: null };
  const points = collectSkinPoints(tinyGeometry(instance, { influences: INFLUENCES }), TINY_PART)!;
  expect(Array.from(points.starts)).toEqual([0, 2, 3]);
  expect(Array.from(points.nodes)).toEqual([0, 1, 1]);
  expect(Array.from(points.rigid)).toEqual([0, 0]);
  expectNear(points.offsets, [0, 0, 0, 0.5, 0, -0.5, 0, 0.5, 0, 0.5, 0, 1], 1e-7);
});

test('weights of joints outside the skeleton go to the joints inside', () => {
  const instance = { node: 2, mesh: 0, skin: 0, morphWeights: null };
  const hipsOnly = { ...TINY_PART, sourceNodes: Int32Array.of(7, 100) };
  const points = collectSkinPoints(tinyGeometry(instance, { influences: INFLUENCES }), hipsOnly)!;
  expect(Array.from(points.starts)).toEqual([0, 1]);
  expectNear(points.offsets, [0, 0, 0, 1], 1e-7);
});

test('a rigid mesh moves with its nearest ancestor in the skeleton', () => {
  const points = collectSkinPoints(tinyGeometry({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), TINY_PART)!;
  expect(Array.from(points.nodes)).toEqual([1, 1]);
  expect(Array.from(points.rigid)).toEqual([1, 1]);
  expectNear(points.offsets, [0, 1, 0, 1, 0, 4, 0, 1], 1e-7);
});

test('a mesh that does not move with the skeleton has no points', () => {
  const elsewhere = { ...TINY_PART, sourceNodes: Int32Array.of(1, 2) };
  expect(collectSkinPoints(tinyGeometry({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), elsewhere)).toBeNull();
});
