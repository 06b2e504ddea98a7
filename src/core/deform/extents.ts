/** Boxes around points. */
import type { Floats } from '../math/floats.ts';

/**
 * The box around points (3 floats each) along the coordinate axes: least x, y, z, then most x, y, z, 6 floats as the extent of UsdGeom
 * and min and max of a glTF accessor. Without points: +∞ and −∞. Coordinates that are not a number do not count.
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
