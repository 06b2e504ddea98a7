import { expect, test } from 'vitest';
import { mapToSkeleton, visitRigidVertices } from '../../../src/core/asset/skeleton-vertices.ts';
import { TINY_PART, tinyGeometry } from '../../support/make/tiny-geometry.ts';

const INSTANCE = { node: 2, mesh: 0, skin: -1, morphWeights: null };

test('nodes of a file that are not in the skeleton map to −1', () => {
  expect(mapToSkeleton(tinyGeometry(INSTANCE, {}), TINY_PART)).toEqual([0, 1, -1]);
});

test('vertices of a rigid mesh are in the space of the nearest ancestor in the skeleton, with the transforms between', () => {
  const geometry = tinyGeometry(INSTANCE, {});
  const seen: [number, number[]][] = [];
  visitRigidVertices(geometry, INSTANCE, [0, 1, -1], (node, point) => seen.push([node, Array.from(point)]));
  expect(seen).toEqual([
    [1, [0, 1, 0]],
    [1, [0, 4, 0]],
  ]);
});

test('a rigid mesh without an ancestor in the skeleton has no vertices there', () => {
  const geometry = tinyGeometry(INSTANCE, {});
  visitRigidVertices(geometry, INSTANCE, [-1, -1, -1], () => expect.unreachable());
});
