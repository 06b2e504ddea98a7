import { expect, test } from 'vitest';
import { convexHull } from '../../../../src/core/contacts/surface/convex-hull.ts';

test('the convex hull of a square with points inside and on its edges has its four corners, counter-clockwise', () => {
  const points = [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
    [1, 1],
    [1, 0],
    [0.5, 1.5],
  ] as const;
  expect(convexHull(points)).toEqual([0, 0, 2, 0, 2, 2, 0, 2]);
});

test('the convex hull of points on a line has its two ends', () => {
  expect(
    convexHull([
      [1, 1],
      [0, 0],
      [2, 2],
    ]),
  ).toEqual([0, 0, 2, 2]);
});
