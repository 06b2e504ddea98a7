/** The direction that a polygon of a mesh faces. */

/** Polygons of any number of corners, one after the other. */
export interface Polygons {
  /** xyz of every point. */
  readonly points: ArrayLike<number>;
  /** The point of every corner. */
  readonly corners: ArrayLike<number>;
  /** Where the corners of every polygon start, and in the end how many corners there are. */
  readonly starts: ArrayLike<number>;
}

/** Newell's normal, of any length, of the polygon that a corner belongs to: to the side from which its corners go round to the left. */
export function polygonNormal(out: Float64Array, { points, corners, starts }: Polygons, corner: number): void {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= corner) low = middle;
    else high = middle;
  }
  out.fill(0);
  for (let k = starts[low]; k < starts[low + 1]; k++) {
    const a = 3 * corners[k];
    const b = 3 * corners[k + 1 < starts[low + 1] ? k + 1 : starts[low]];
    out[0] += (points[a + 1] - points[b + 1]) * (points[a + 2] + points[b + 2]);
    out[1] += (points[a + 2] - points[b + 2]) * (points[a] + points[b]);
    out[2] += (points[a] - points[b]) * (points[a + 1] + points[b + 1]);
  }
}
