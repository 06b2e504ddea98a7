import * as vec3 from '../../math/vec3.ts';
import { extremePoints } from './extreme-points.ts';

/** Directions in which the furthest vertex counts: corners and fingertips. */
const DIRECTIONS = 12;
/** Most intervals per edge of a triangle: no edge of a hand is longer than 40 % of the height. */
const MOST_INTERVALS = 16;

/**
 * Spreads points over the skin of a bone: the vertices that are the furthest in some direction, and points of its triangles between them, one per cell of a grid.
 * The middle of a flat palm is far from its vertices, and it is what touches a round belly.
 *
 * @param positions Position of every vertex in the reference pose: xyz.
 * @param vertices Its vertices.
 * @param triangles Corners of all triangles, of which `faces` has the first corners of its own.
 * @param joint Position of the joint: xyz.
 * @param spacing Size of a cell, meters.
 * @returns Offsets from the joint: xyz per point.
 */
export function spreadPoints(
  positions: Float64Array,
  vertices: readonly number[],
  triangles: Int32Array,
  faces: readonly number[],
  joint: Float64Array,
  spacing: number,
): Float64Array {
  const found: number[] = [];
  /** Where the point of a cell is in `found`, and its distance from the middle: the nearest one counts, whatever the order of triangles. */
  const cells = new Map<number, { readonly at: number; readonly distance: number }>();
  const point = new Float64Array(3);
  const add = (isExtreme: boolean): void => {
    let [cell, distance] = [0, 0];
    for (let c = 0; c < 3; c++) {
      // Cells of one side mirror those of the other one.
      const along = (c === 0 ? Math.abs(point[0] + joint[0]) : point[c]) / spacing;
      cell = 1024 * cell + 512 + Math.floor(along);
      distance += (along - Math.floor(along) - 0.5) ** 2;
    }
    if (isExtreme) distance = -1;
    const known = cells.get(cell);
    if (!isExtreme && known !== undefined && known.distance <= distance) return;
    const at = isExtreme || known === undefined ? found.length : known.at;
    cells.set(cell, { at, distance });
    for (let c = 0; c < 3; c++) found[at + c] = point[c];
  };
  for (const vertex of extremePoints(positions, DIRECTIONS, vertices)) {
    vec3.subtract(point, 0, positions, 3 * vertex, joint, 0);
    add(true);
  }
  for (const face of faces) {
    const [a, b, c] = [3 * triangles[face], 3 * triangles[face + 1], 3 * triangles[face + 2]];
    const longest = Math.max(
      vec3.distance(positions, a, positions, b),
      vec3.distance(positions, b, positions, c),
      vec3.distance(positions, c, positions, a),
    );
    const intervals = Math.min(MOST_INTERVALS, Math.max(1, Math.ceil(longest / spacing)));
    for (let i = 0; i <= intervals; i++) {
      for (let k = 0; k <= intervals - i; k++) {
        for (let d = 0; d < 3; d++) {
          const along = i * positions[a + d] + k * positions[b + d] + (intervals - i - k) * positions[c + d];
          point[d] = along / intervals - joint[d];
        }
        add(false);
      }
    }
  }
  return Float64Array.from(found);
}
