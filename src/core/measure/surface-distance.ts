/** Distance between points and a surface of triangles that moves: clusters of triangles that are further away than what was found are skipped. */

/** Distance between the point at q and the segment from a to b; all are offsets in p. */
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
 * Computes the distance between a point and a triangle: that from its closest edge, or from its inside where the point is above it (Ericson,
 * Real-Time Collision Detection, 2004, section 5.1.5). Rounding may take a point for one above a triangle without much area; then an edge is closer.
 * `a`, `b`, `c`: offsets of the corners in `p`; `q`: that of the point.
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

const CLUSTER = 16;
/** Floats per sphere: center, radius. */
const SPHERE_STRIDE = 4;

export interface MovingSurface {
  readonly triangles: Int32Array;
  /** The vertices, each once. */
  readonly vertices: Int32Array;
  /** Sphere around every cluster of consecutive triangles. */
  readonly spheres: Float64Array;
}

export function createMovingSurface(triangles: Int32Array): MovingSurface {
  const count = Math.ceil(triangles.length / 3 / CLUSTER);
  return {
    triangles,
    vertices: Int32Array.from(new Set(triangles)),
    spheres: new Float64Array(SPHERE_STRIDE * count),
  };
}

/** Writes a sphere around some points: their center, and the greatest distance from it. */
function findSphere(
  out: Float64Array,
  o: number,
  points: Int32Array,
  from: number,
  to: number,
  positions: Float64Array,
): void {
  out.fill(0, o, o + SPHERE_STRIDE);
  for (let n = from; n < to; n++) {
    for (let c = 0; c < 3; c++) out[o + c] += positions[3 * points[n] + c] / (to - from);
  }
  for (let n = from; n < to; n++) out[o + 3] = Math.max(out[o + 3], distanceTo(out, o, positions, 3 * points[n]));
}

function distanceTo(spheres: Float64Array, s: number, positions: Float64Array, p: number): number {
  const x = positions[p] - spheres[s];
  const y = positions[p + 1] - spheres[s + 1];
  const z = positions[p + 2] - spheres[s + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

const around = new Float64Array(SPHERE_STRIDE);

export function surfaceDistance(
  { triangles, spheres }: MovingSurface,
  points: Int32Array,
  positions: Float64Array,
  within = Number.POSITIVE_INFINITY,
): number {
  const count = spheres.length / SPHERE_STRIDE;
  if (points.length === 0) return Number.POSITIVE_INFINITY;
  findSphere(around, 0, points, 0, points.length, positions);
  const bounds = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const s = SPHERE_STRIDE * k;
    findSphere(spheres, s, triangles, 3 * CLUSTER * k, Math.min(triangles.length, 3 * CLUSTER * (k + 1)), positions);
    bounds[k] = distanceTo(spheres, s, around, 0) - spheres[s + 3] - around[3];
  }
  // The closest clusters first.
  const order = Int32Array.from(bounds.keys()).sort((a, b) => bounds[a] - bounds[b]);
  let best = within;
  for (const k of order) {
    if (bounds[k] >= best) break;
    const s = SPHERE_STRIDE * k;
    const end = Math.min(triangles.length, 3 * CLUSTER * (k + 1));
    for (const point of points) {
      if (distanceTo(spheres, s, positions, 3 * point) - spheres[s + 3] >= best) continue;
      for (let n = 3 * CLUSTER * k; n < end; n += 3) {
        const corners = [3 * triangles[n], 3 * triangles[n + 1], 3 * triangles[n + 2]] as const;
        best = Math.min(best, triangleDistance(positions, ...corners, 3 * point));
      }
    }
  }
  return best < within ? best : Number.POSITIVE_INFINITY;
}
