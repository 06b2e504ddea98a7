import { describe, expect, test } from 'vitest';
import {
  extremePoints,
  FEW_DIRECTIONS,
  MANY_DIRECTIONS,
  spreadDirections,
} from '../../../../src/core/contacts/surface/extreme-points.ts';
import { between, makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { read, rotated } from '../../../support/reference/plain.ts';

describe('extremePoints', () => {
  test('contains the lowest point of a cloud in any orientation, up to a hundredth of its size', () => {
    const random = makeRandom(3);
    const cloud = Float64Array.from({ length: 3000 }, () => between(random, -1, 1));
    const chosen = extremePoints(cloud, MANY_DIRECTIONS);
    expect(chosen.length).toBeLessThan(300);
    for (let k = 0; k < 50; k++) {
      const turn = randomRotation(random);
      const height = (point: number): number => rotated(turn, read(cloud, 3 * point, 3))[1];
      const lowest = Math.min(...Array.from({ length: 1000 }, (_, point) => height(point)));
      expect(Math.min(...chosen.map(height)) - lowest).toBeLessThan(0.01 * Math.hypot(2, 2, 2));
    }
  });

  test('chooses the same points of a mirrored cloud', () => {
    const random = makeRandom(4);
    const cloud = Float64Array.from({ length: 600 }, () => between(random, -1, 1));
    const mirrored = cloud.map((value, k) => (k % 3 === 0 ? -value : value));
    expect(extremePoints(mirrored, MANY_DIRECTIONS)).toEqual(extremePoints(cloud, MANY_DIRECTIONS));
  });

  test('chooses the points that a search of all finds, of several at the same position the first one', () => {
    const random = makeRandom(5);
    const positions = Float64Array.from({ length: 900 }, () => Math.round(between(random, -3, 3)) / 3);
    const some = Array.from({ length: 300 }, (_, point) => point).filter((point) => point % 3 !== 0);
    for (const cloud of [some, some.slice(0, 20), [7]]) {
      const directions = spreadDirections(FEW_DIRECTIONS);
      const found = Array.from({ length: FEW_DIRECTIONS }, (_, k) => {
        const along = (point: number): number =>
          [0, 1, 2].reduce((sum, c) => sum + directions[3 * k + c] * positions[3 * point + c], 0);
        return cloud.reduce((best, point) => (along(point) > along(best) ? point : best));
      });
      const wanted = [...new Set(found)].sort((a, b) => a - b);
      expect(extremePoints(positions, FEW_DIRECTIONS, cloud)).toEqual(wanted);
    }
  });

  test('returns nothing for no points', () => {
    expect(extremePoints([], 8)).toEqual([]);
  });
});
