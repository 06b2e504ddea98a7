import { describe, expect, test } from 'vitest';
import { createMovingSurface, surfaceDistance, triangleDistance } from '../../../src/core/measure/surface-distance.ts';

import { makeRandom } from '../../../src/demo/random.ts';

describe('surfaceDistance', () => {
  test('equals the least distance of all pairs of points and triangles, near and far', () => {
    const random = makeRandom(7);
    const positions = Float64Array.from({ length: 3 * 240 }, () => random() - 0.5);
    const triangles = Int32Array.from({ length: 3 * 70 }, (_, k) => k % 200);
    const points = Int32Array.from({ length: 40 }, (_, k) => 200 + k);
    const surface = createMovingSurface(triangles);
    for (const shift of [0, 0.9, 20]) {
      const moved = positions.map((value, k) => (k >= 600 && k % 3 === 0 ? value + shift : value));
      let least = Number.POSITIVE_INFINITY;
      for (const point of points) {
        for (let k = 0; k < triangles.length; k += 3) {
          const [a, b, c] = triangles.subarray(k, k + 3);
          least = Math.min(least, triangleDistance(moved, 3 * a, 3 * b, 3 * c, 3 * point));
        }
      }
      expect(surfaceDistance(surface, points, moved)).toBe(least);
    }
  });

  test('is Infinity without points or triangles', () => {
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    const surface = createMovingSurface(Int32Array.of(0, 1, 2));
    expect(surfaceDistance(surface, new Int32Array(0), positions)).toBe(Number.POSITIVE_INFINITY);
    expect(surfaceDistance(createMovingSurface(new Int32Array(0)), Int32Array.of(0), positions)).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
