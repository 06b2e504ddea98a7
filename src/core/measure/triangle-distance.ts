/** Distance between a point and a triangle. */

/**
 * Computes the distance between a point and a triangle (Ericson, Real-Time Collision Detection, 2004, section 5.1.5).
 *
 * @param p Positions.
 * @param a Offset of the first corner in `p`.
 * @param b Offset of the second one.
 * @param c Offset of the third one.
 * @param q Offset of the point.
 * @returns The distance.
 */
export function triangleDistance(p: Float64Array, a: number, b: number, c: number, q: number): number {
  const [x, y, z] = [p[q], p[q + 1], p[q + 2]];
  const [ax, ay, az] = [p[a], p[a + 1], p[a + 2]];
  const [abx, aby, abz] = [p[b] - ax, p[b + 1] - ay, p[b + 2] - az];
  const [acx, acy, acz] = [p[c] - ax, p[c + 1] - ay, p[c + 2] - az];
  const [apx, apy, apz] = [x - ax, y - ay, z - az];
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  let v = 0;
  let w = 0;
  if (!(d1 <= 0 && d2 <= 0)) {
    const [bpx, bpy, bpz] = [x - p[b], y - p[b + 1], z - p[b + 2]];
    const d3 = abx * bpx + aby * bpy + abz * bpz;
    const d4 = acx * bpx + acy * bpy + acz * bpz;
    const [cpx, cpy, cpz] = [x - p[c], y - p[c + 1], z - p[c + 2]];
    const d5 = abx * cpx + aby * cpy + abz * cpz;
    const d6 = acx * cpx + acy * cpy + acz * cpz;
    const vc = d1 * d4 - d3 * d2;
    const vb = d5 * d2 - d1 * d6;
    const va = d3 * d6 - d5 * d4;
    // An edge may be so short that its products are 0: `|| 1` keeps to its start.
    if (d3 >= 0 && d4 <= d3) v = 1;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3 || 1);
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6 || 1);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6) || 1);
      v = 1 - w;
    } else if (va + vb + vc > 0) {
      v = vb / (va + vb + vc);
      w = vc / (va + vb + vc);
    }
  }
  const [dx, dy, dz] = [apx - v * abx - w * acx, apy - v * aby - w * acy, apz - v * abz - w * acz];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
