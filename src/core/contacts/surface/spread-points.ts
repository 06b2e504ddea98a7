import * as vec3 from '../../math/vec3.ts';
import { extremePoints } from './extreme-points.ts';

/** Directions in which the furthest vertex counts: corners and fingertips. */
const DIRECTIONS = 12;
/** Most intervals per edge of a triangle: no edge of a hand is longer than 40 % of the height. */
const MOST_INTERVALS = 16;
/** Steps per cell to which points are rounded: errors of float64, which differ between both sides, then decide nothing. */
const STEPS = 1e6;

/** Position relative to the joint, in cells; x points outward. */
type Point = readonly [x: number, y: number, z: number];

const compare = (a: Point, b: Point): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Identifies the cell of a point; the joint is in the middle of one. */
const cellOf = (point: Point): number => point.reduce((cell, along) => 1024 * cell + 512 + Math.round(along), 0);

const fromMiddle = (point: Point): number => point.reduce((sum, along) => sum + (along - Math.round(along)) ** 2, 0);

/**
 * Spreads points over the skin of a bone: the vertices that are the furthest in some direction, and points of its triangles between them, one per cell of a grid.
 * The middle of a flat palm is far from its vertices, and it is what touches a round belly. Mirrored skin has mirrored points, and the order of vertices
 * and triangles does not matter.
 *
 * @param positions Position of every vertex in the reference pose: xyz.
 * @param triangles Corners of all triangles, of which `faces` has the first corners of its own.
 * @param side 1 for a bone of the left side, −1 for one of the right side.
 * @param spacing Size of a cell, meters.
 * @returns Offsets from the joint: xyz per point.
 */
export function spreadPoints(
  positions: Float64Array,
  vertices: readonly number[],
  triangles: Int32Array,
  faces: readonly number[],
  joint: Float64Array,
  side: 1 | -1,
  spacing: number,
): Float64Array {
  const round = (offset: number): number => Math.round((offset / spacing) * STEPS) / STEPS;
  const locate = (x: number, y: number, z: number): Point => [
    round(side * (x - joint[0])),
    round(y - joint[1]),
    round(z - joint[2]),
  ];
  const corners = vertices
    .map((vertex) => locate(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]))
    .sort(compare);
  const extremes = extremePoints(corners.flat(), DIRECTIONS).map((k) => corners[k]);
  const taken = new Set(extremes.map(cellOf));
  const cells = new Map<number, Point>();
  for (const face of faces) {
    const [a, b, c] = [3 * triangles[face], 3 * triangles[face + 1], 3 * triangles[face + 2]];
    const longest = Math.max(
      vec3.distance(positions, a, positions, b),
      vec3.distance(positions, b, positions, c),
      vec3.distance(positions, c, positions, a),
    );
    // A length that is a multiple of the spacing has as many intervals on both sides.
    const intervals = Math.min(MOST_INTERVALS, Math.max(1, Math.ceil(round(longest))));
    for (let i = 0; i <= intervals; i++) {
      for (let k = 0; k <= intervals - i; k++) {
        const along = (d: number): number =>
          (i * positions[a + d] + k * positions[b + d] + (intervals - i - k) * positions[c + d]) / intervals;
        const point = locate(along(0), along(1), along(2));
        const cell = cellOf(point);
        if (taken.has(cell)) continue;
        const known = cells.get(cell);
        if (known === undefined || (fromMiddle(point) - fromMiddle(known) || compare(point, known)) < 0)
          cells.set(cell, point);
      }
    }
  }
  const found = [...extremes, ...cells.values()].sort(compare);
  return Float64Array.from(found.flatMap(([x, y, z]) => [side * spacing * x, spacing * y, spacing * z]));
}
