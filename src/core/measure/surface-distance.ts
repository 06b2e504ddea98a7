/** Distance between points and a surface of triangles that moves: clusters of triangles that are further away than what was found are skipped. */
import { triangleDistance } from './triangle-distance.ts';

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
