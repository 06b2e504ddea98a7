import { lastAtMost } from '../math/search.ts';

/** Polygons with any number of corners, stored consecutively. */
export interface Polygons {
  /** xyz per point. */
  readonly points: ArrayLike<number>;
  /** Point index of every corner. */
  readonly corners: ArrayLike<number>;
  /** First corner of every polygon, then the total number of corners. */
  readonly starts: ArrayLike<number>;
}

/**
 * Computes the normal of the polygon that contains a corner, by Newell's method. It points to the side from which the corners are
 * counter-clockwise; its length is twice the area.
 *
 * @param out Receives xyz at index 0; zero for degenerate polygons.
 */
export function polygonNormal(out: Float64Array, { points, corners, starts }: Polygons, corner: number): void {
  const polygon = lastAtMost(starts, corner);
  const [first, end] = [starts[polygon], starts[polygon + 1]];
  out.fill(0);
  for (let k = first; k < end; k++) {
    const a = 3 * corners[k];
    const b = 3 * corners[k + 1 < end ? k + 1 : first];
    out[0] += (points[a + 1] - points[b + 1]) * (points[a + 2] + points[b + 2]);
    out[1] += (points[a + 2] - points[b + 2]) * (points[a] + points[b]);
    out[2] += (points[a] - points[b]) * (points[a + 1] + points[b + 1]);
  }
}
