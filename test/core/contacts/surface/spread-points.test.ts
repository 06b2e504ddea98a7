import { describe, expect, test } from 'vitest';
import { spreadPoints } from '../../../../src/core/contacts/surface/spread-points.ts';

/** A square of 0.2 m in two triangles; its middle is below the joint. */
const corners = [-0.1, 0, -0.1, 0.1, 0, -0.1, 0.1, 0, 0.1, -0.1, 0, 0.1];
const triangles = [0, 1, 2, 0, 2, 3];

/** Spreads points over a flat mesh; `at`: x of its joint. */
function spread({
  spacing = 0.03,
  at = 0.2,
  side = 1 as 1 | -1,
  positions = corners,
  indices = triangles,
}): number[][] {
  const placed = Float64Array.from(positions, (value, k) => (k % 3 === 0 ? side * value + at : value));
  const vertices = Array.from({ length: positions.length / 3 }, (_, k) => k);
  const faces = Array.from({ length: indices.length / 3 }, (_, k) => 3 * k);
  const joint = Float64Array.of(at, 1, 0);
  const points = spreadPoints(placed, vertices, Int32Array.from(indices), faces, joint, side, spacing);
  return Array.from({ length: points.length / 3 }, (_, k) => [...points.subarray(3 * k, 3 * k + 3)]);
}

/** A square in four triangles around its middle. */
const inFour = { positions: [...corners, 0, 0, 0], indices: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4] };

/** Compares points in any order. */
function expectSame(points: number[][], expected: number[][]): void {
  expect(points.length).toBe(expected.length);
  for (const point of points) {
    const distances = expected.map((other) => Math.hypot(...point.map((value, c) => value - other[c])));
    expect(Math.min(...distances)).toBeLessThan(1e-12);
  }
}

describe('spreadPoints', () => {
  test('keeps corners, relative to the joint', () => {
    for (const corner of [
      [-0.1, -1, -0.1],
      [0.1, -1, 0.1],
    ]) {
      const distances = spread({ spacing: 0.5 }).map((point) => Math.hypot(...point.map((v, c) => v - corner[c])));
      expect(Math.min(...distances)).toBeLessThan(1e-12);
    }
  });

  test('has a point near every place of a face without vertices', () => {
    const spacing = 0.03;
    const points = spread({ spacing });
    for (let x = -0.1; x <= 0.1; x += 0.01) {
      for (let z = -0.1; z <= 0.1; z += 0.01) {
        const distances = points.map((point) => Math.hypot(point[0] - x, point[2] - z));
        expect(Math.min(...distances)).toBeLessThan(1.5 * spacing);
      }
    }
  });

  test('has each point of an edge of two triangles once', () => {
    // The diagonal of 0.283 m has ten intervals.
    expect(spread({ spacing: 0.03 }).length).toBe(11 ** 2);
  });

  test('has only the furthest vertices of triangles that are small', () => {
    expect(spread({ spacing: 0.3 }).length).toBe(4);
  });

  test.each([{}, inFour])('mirrors the points of mirrored skin: %j', (mesh) => {
    const mirrored = spread({ ...mesh, at: -0.2, side: -1 });
    expectSame(
      mirrored.map(([x, y, z]) => [-x, y, z]),
      spread({ ...mesh, at: 0.2 }),
    );
  });

  test.each([{}, inFour])('finds the same points wherever the joint is: %j', (mesh) => {
    expectSame(spread({ ...mesh, at: 1.7 }), spread({ ...mesh, at: 0 }));
  });

  test.each([{}, inFour])('finds the same points in any order of triangles and corners: %j', (mesh) => {
    const { indices } = { indices: triangles, ...mesh };
    expectSame(spread({ ...mesh, indices: [...indices].reverse() }), spread(mesh));
  });

  test('finds the same points in any order of vertices', () => {
    const last = inFour.positions.length / 3 - 1;
    const positions = Array.from({ length: last + 1 }, (_, k) =>
      inFour.positions.slice(3 * (last - k), 3 * (last - k) + 3),
    ).flat();
    const indices = inFour.indices.map((vertex) => last - vertex);
    expectSame(spread({ ...inFour, positions, indices }), spread(inFour));
  });
});
