import type { Floats } from '../math/floats.ts';
import { localToModelMatrices, modelPositions } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';

/**
 * Computes the axis-aligned bounding box of points, like a UsdGeom extent or min and max of a glTF accessor. NaN coordinates are ignored. No
 * points give +∞ and −∞.
 *
 * @param out Receives 6 floats: minimum xyz, maximum xyz.
 * @param o Offset in `out`.
 * @param points 3 floats per point.
 */
export function pointExtents(out: Floats, o: number, points: ArrayLike<number>): void {
  for (let axis = 0; axis < 3; axis++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = axis; i < points.length; i += 3) {
      const value = points[i];
      if (value < least) least = value;
      if (value > most) most = value;
    }
    out[o + axis] = least;
    out[o + 3 + axis] = most;
  }
}

/**
 * Computes the diagonal of the bounding box of all nodes at rest.
 *
 * @returns The diagonal, in the unit of the nodes; 1 if it is not a finite number above 0.
 */
export function restDiagonal(nodes: Skeleton): number {
  const count = nodes.parents.length;
  const worlds = new Float64Array(MATRIX_STRIDE * count);
  localToModelMatrices(worlds, nodes.parents, nodes.rest);
  const positions = new Float64Array(3 * count);
  modelPositions(positions, worlds);
  const box = new Float64Array(6);
  pointExtents(box, 0, positions);
  const size = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return size > 0 && Number.isFinite(size) ? size : 1;
}
