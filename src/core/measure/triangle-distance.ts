/** Distance between a point and a triangle. */

function segmentDistance(p: Float64Array, a: number, b: number, q: number): number {
  let [along, squared] = [0, 0];
  for (let c = 0; c < 3; c++) {
    along += (p[b + c] - p[a + c]) * (p[q + c] - p[a + c]);
    squared += (p[b + c] - p[a + c]) ** 2;
  }
  const t = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
  let distance = 0;
  for (let c = 0; c < 3; c++) distance += (p[q + c] - p[a + c] - t * (p[b + c] - p[a + c])) ** 2;
  return Math.sqrt(distance);
}

/**
 * Computes the distance between a point and a triangle: that from its closest edge, or from its inside where the point is above it (Ericson, Real-Time
 * Collision Detection, 2004, section 5.1.5). Rounding may take a point for one above a triangle without much area; then an edge is closer.
 *
 * @param b Offset of the second one.
 */
export function triangleDistance(p: Float64Array, a: number, b: number, c: number, q: number): number {
  const edges = Math.min(segmentDistance(p, a, b, q), segmentDistance(p, b, c, q), segmentDistance(p, c, a, q));
  const [x, y, z] = [p[q], p[q + 1], p[q + 2]];
  const [apx, apy, apz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
  const [bpx, bpy, bpz] = [x - p[b], y - p[b + 1], z - p[b + 2]];
  const [cpx, cpy, cpz] = [x - p[c], y - p[c + 1], z - p[c + 2]];
  const [abx, aby, abz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [acx, acy, acz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [d1, d2] = [abx * apx + aby * apy + abz * apz, acx * apx + acy * apy + acz * apz];
  const [d3, d4] = [abx * bpx + aby * bpy + abz * bpz, acx * bpx + acy * bpy + acz * bpz];
  const [d5, d6] = [abx * cpx + aby * cpy + abz * cpz, acx * cpx + acy * cpy + acz * cpz];
  const [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
  if (!(va > 0 && vb > 0 && vc > 0)) return edges;
  const [v, w] = [vb / (va + vb + vc), vc / (va + vb + vc)];
  const [dx, dy, dz] = [apx - v * abx - w * acx, apy - v * aby - w * acy, apz - v * abz - w * acz];
  return Math.min(edges, Math.sqrt(dx * dx + dy * dy + dz * dz));
}
