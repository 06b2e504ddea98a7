import { describe, expect, test } from 'vitest';
import { spreadPoints } from '../../../../src/core/contacts/surface/spread-points.ts';

/** A square of 0.2 m on the left, in two triangles. */
const positions = Float64Array.of(0.1, 0, -0.1, 0.3, 0, -0.1, 0.3, 0, 0.1, 0.1, 0, 0.1);
const triangles = Int32Array.of(0, 1, 2, 0, 2, 3);
const joint = Float64Array.of(0.2, 1, 0);

const spread = (spacing: number): number[][] => {
  const points = spreadPoints(positions, [0, 1, 2, 3], triangles, [0, 3], joint, spacing);
  return Array.from({ length: points.length / 3 }, (_, k) => [...points.subarray(3 * k, 3 * k + 3)]);
};

describe('spreadPoints', () => {
  test('keeps corners, relative to the joint', () => {
    for (const corner of [
      [-0.1, -1, -0.1],
      [0.1, -1, 0.1],
    ]) {
      expect(spread(0.5).some((point) => Math.hypot(...point.map((value, c) => value - corner[c])) < 1e-12)).toBe(true);
    }
  });

  test('has a point near every place of a face without vertices', () => {
    const spacing = 0.03;
    const points = spread(spacing);
    for (let x = -0.1; x <= 0.1; x += 0.01) {
      for (let z = -0.1; z <= 0.1; z += 0.01) {
        const distances = points.map((point) => Math.hypot(point[0] - x, point[2] - z));
        expect(Math.min(...distances)).toBeLessThan(1.5 * spacing);
      }
    }
    expect(points.length).toBeLessThan(4 + 9 ** 2);
  });
});
