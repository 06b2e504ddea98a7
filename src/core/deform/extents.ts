import type { Floats } from '../math/floats.ts';

/**
 * Computes the axis-aligned bounding box of points, like a UsdGeom extent or min and max of a glTF accessor. NaN coordinates are ignored. No points
 * give +∞ and −∞. `out` receives 6 floats: minimum xyz, maximum xyz. `o`: offset in `out`. `points`: 3 floats per point.
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
