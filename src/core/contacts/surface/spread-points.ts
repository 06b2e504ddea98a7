import * as vec3 from '../../math/vec3.ts';
import { extremePoints } from './extreme-points.ts';

/** Directions in which the furthest vertex counts: corners and fingertips. */
const DIRECTIONS = 12;
/** Most intervals per edge of a triangle. With a spacing of 2 % of the height, edges beyond 32 % have gaps: they are those of tools. */
const MOST_INTERVALS = 16;
/** Part of the spacing by which an edge may be longer without another interval, and within which two points are one: errors of float32 decide nothing. */
const SAME = 1e-3;

/**
 * Spreads points over the skin of a bone: the vertices that are the furthest in some direction, and points of the triangles that are larger than a
 * distance. The middle of a flat palm is far from its vertices, and it is what touches a round belly. Skin that differs by rounding has the same
 * points, whatever the order of its triangles.
 *
 * @param positions Position of every vertex in the reference pose: xyz.
 * @param vertices Its vertices.
 * @param triangles Corners of all triangles, of which `faces` has the first corners of its own.
 * @param joint Position of the joint: xyz.
 * @param side 1 for a bone of the left side, −1 for one of the right side, whose points mirror those of the left one.
 * @param spacing Greatest distance between the points of a triangle, meters.
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
  const found: number[] = [];
  const known = new Set<string>();
  const add = (x: number, y: number, z: number): void => {
    const offset = [x - joint[0], y - joint[1], z - joint[2]];
    const key = offset.map((along) => Math.round(along / (SAME * spacing))).join();
    if (known.has(key)) return;
    known.add(key);
    found.push(...offset);
  };
  // Of equally far vertices the first counts, which must be the same on both sides.
  const steps = (vertex: number, c: number): number =>
    Math.round((positions[3 * vertex + c] - joint[c]) / (SAME * spacing));
  const ordered = [...vertices].sort(
    (a, b) => side * (steps(a, 0) - steps(b, 0)) || steps(a, 1) - steps(b, 1) || steps(a, 2) - steps(b, 2),
  );
  for (const vertex of extremePoints(positions, DIRECTIONS, ordered))
    add(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
  for (const face of faces) {
    const [a, b, c] = [3 * triangles[face], 3 * triangles[face + 1], 3 * triangles[face + 2]];
    const longest = Math.max(
      vec3.distance(positions, a, positions, b),
      vec3.distance(positions, b, positions, c),
      vec3.distance(positions, c, positions, a),
    );
    const intervals = Math.min(MOST_INTERVALS, Math.ceil(longest / spacing - SAME));
    if (intervals < 2) continue;
    for (let i = 0; i <= intervals; i++) {
      for (let k = 0; k <= intervals - i; k++) {
        const at = (d: number): number =>
          (i * positions[a + d] + k * positions[b + d] + (intervals - i - k) * positions[c + d]) / intervals;
        add(at(0), at(1), at(2));
      }
    }
  }
  return Float64Array.from(found);
}
