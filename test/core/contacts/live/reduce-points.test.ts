import { expect, test } from 'vitest';
import { reducePoints } from '../../../../src/core/contacts/live/reduce-points.ts';

/** Corners of a box with points inside of it. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
const INSIDE = Array.from({ length: 60 }, (_, k) => 0.9 * Math.sin(1 + 7 * k));

test('reducePoints: the corners of a box are enough, ascending', () => {
  expect(reducePoints([...INSIDE, ...CORNERS], 0.01, 0.01, 50)).toEqual([20, 21, 22, 23, 24, 25, 26, 27]);
});

test('reducePoints: no point is lower than the chosen ones by more than the tolerance, up to the greatest number', () => {
  const cloud = Array.from({ length: 600 }, (_, k) => Math.sin(3 * k) + 0.3 * Math.cos(11 * k));
  const chosen = reducePoints(cloud, 0.05, 0.05, 100);
  const lowest = (points: readonly number[], direction: readonly number[]): number =>
    Math.min(...points.map((p) => direction.reduce((sum, value, c) => sum + value * cloud[3 * p + c], 0)));
  const all = Array.from({ length: 200 }, (_, k) => k);
  for (let k = 0; k < 40; k++) {
    const [a, b] = [0.4 * k, 1.7 * k];
    const direction = [Math.cos(a) * Math.cos(b), Math.sin(b), Math.sin(a) * Math.cos(b)];
    expect(lowest(chosen, direction) - lowest(all, direction)).toBeLessThan(0.1);
  }
  expect(reducePoints(cloud, 0.05, 0.05, 4)).toHaveLength(4);
  expect(reducePoints([], 0.05, 0.05, 4)).toEqual([]);
});
