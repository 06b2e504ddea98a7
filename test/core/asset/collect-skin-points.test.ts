import { expect, test } from 'vitest';
import { collectSkinPoints } from '../../../src/core/asset/collect-skin-points.ts';
import { mirrorSkinPoints, type SkinPoints, skinPoint } from '../../../src/core/deform/skin-points.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { mirrorHumanoid } from '../../../src/core/humanoid/mirror-humanoid.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { demoBody } from '../../contacts/demo-pair.ts';
import { TINY_PART, tinyGeometry } from '../../support/make/tiny-geometry.ts';
import { expectNear } from '../../support/near.ts';

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

test('a mesh that is bound to one joint as a whole is rigid', () => {
  const instance = { node: 2, mesh: 0, skin: 0, morphWeights: null };
  for (const [indices, rigid] of [
    [
      [1, 1],
      [1, 1],
    ],
    [
      [0, 1],
      [0, 0],
    ],
  ]) {
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: Uint16Array.from(indices),
      weights: Float32Array.of(1, 1),
    } as const;
    const points = collectSkinPoints(tinyGeometry(instance, { influences }), TINY_PART)!;
    expect(Array.from(points.rigid)).toEqual(rigid);
  }
});

test('a mesh that does not move with the skeleton has no points', () => {
  const elsewhere = { ...TINY_PART, sourceNodes: Int32Array.of(1, 2) };
  expect(collectSkinPoints(tinyGeometry({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), elsewhere)).toBeNull();
});

/** Volume inside the triangles in the rest pose; positive if their outsides are outside. */
function volumeOf({ skeleton }: Humanoid, skin: SkinPoints): number {
  const matrices = new Float64Array(16 * skeleton.parents.length);
  localToModelMatrices(matrices, skeleton.parents, skeleton.rest);
  const p = new Float64Array(9);
  let volume = 0;
  for (let k = 0; k < skin.triangles.length; k += 3) {
    for (let c = 0; c < 3; c++) skinPoint(p, 3 * c, skin, skin.triangles[k + c], matrices);
    volume +=
      p[0] * (p[4] * p[8] - p[5] * p[7]) - p[1] * (p[3] * p[8] - p[5] * p[6]) + p[2] * (p[3] * p[7] - p[4] * p[6]);
  }
  return volume / 6;
}

test('the triangles of the meshes are kept, with their outside outside, mirrored too', async () => {
  const { humanoid, skin } = await demoBody();
  expect(skin.triangles.length).toBeGreaterThan(1000);
  const volume = volumeOf(humanoid, skin);
  expect(volume).toBeGreaterThan(0.02);
  expect(volumeOf(mirrorHumanoid(humanoid), mirrorSkinPoints(skin))).toBeCloseTo(volume, 9);
});
