/** Leaves out points of a line that change nothing that is seen. */

/** Distance from the point `p` to the segment from `a` to `b`, indices of points xyz. */
function distanceTo(points: Float32Array, p: number, a: number, b: number): number {
  const [ax, ay, az] = [points[3 * a], points[3 * a + 1], points[3 * a + 2]];
  const [dx, dy, dz] = [points[3 * b] - ax, points[3 * b + 1] - ay, points[3 * b + 2] - az];
  const [px, py, pz] = [points[3 * p] - ax, points[3 * p + 1] - ay, points[3 * p + 2] - az];
  const square = dx * dx + dy * dy + dz * dz;
  const along = square > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / square)) : 0;
  return Math.hypot(px - along * dx, py - along * dy, pz - along * dz);
}

/**
 * Simplifies a line (Ramer, 1972; Douglas and Peucker, 1973).
 *
 * @param tolerance Largest distance of a point that is left out from the line, in the unit of the points.
 */
export function simplifyLine(points: Float32Array, tolerance: number): Float32Array {
  const count = Math.floor(points.length / 3);
  if (count < 3) return points;
  const isKept = new Uint8Array(count);
  isKept[0] = 1;
  isKept[count - 1] = 1;
  const open: [number, number][] = [[0, count - 1]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [first, last] = part;
    let [farthest, most] = [-1, tolerance];
    for (let p = first + 1; p < last; p++) {
      const distance = distanceTo(points, p, first, last);
      if (distance > most) [farthest, most] = [p, distance];
    }
    if (farthest < 0) continue;
    isKept[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, k) => isKept[Math.floor(k / 3)] === 1);
}
