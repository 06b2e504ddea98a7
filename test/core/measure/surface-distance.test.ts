import fc from 'fast-check';
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

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });

describe('triangleDistance', () => {
  test('is at most the distance to any point of the triangle, and close to that of the closest of many', () => {
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 12, maxLength: 12 }), (list) => {
        const p = Float64Array.from(list);
        const distance = triangleDistance(p, 0, 3, 6, 9);
        let least = Number.POSITIVE_INFINITY;
        const steps = 60;
        for (let i = 0; i <= steps; i++) {
          for (let j = 0; i + j <= steps; j++) {
            const [v, w] = [i / steps, j / steps];
            const at = [0, 1, 2].map((c) => p[c] * (1 - v - w) + p[3 + c] * v + p[6 + c] * w - p[9 + c]);
            least = Math.min(least, Math.hypot(...at));
          }
        }
        // Rounding of narrow triangles.
        expect(distance).toBeLessThanOrEqual(least + 1e-9);
        expect(least - distance).toBeLessThan(4 / steps);
      }),
    );
  });

  test('is exact at a corner, an edge, inside, and for a triangle without area', () => {
    const of = (x: number, y: number, z: number): number =>
      triangleDistance(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, x, y, z), 0, 3, 6, 9);
    expect(of(-3, -4, 0)).toBeCloseTo(5, 12);
    expect(of(0.5, -2, 0)).toBeCloseTo(2, 12);
    expect(of(1, 1, 0)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(of(0.2, 0.2, 0.7)).toBeCloseTo(0.7, 12);
    expect(triangleDistance(Float64Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0), 0, 3, 6, 9)).toBeCloseTo(1, 12);
    // The products of such edges are too small for a float64.
    const tiny = Float64Array.of(0, 0, 0, 0, 0, 0, 0, -4.86e-26, 0, 0, -5.08e-299, 0);
    expect(triangleDistance(tiny, 0, 3, 6, 9)).toBeCloseTo(0, 12);
  });
});
