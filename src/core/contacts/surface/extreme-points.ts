import * as vec3 from '../../math/vec3.ts';

/** Number of directions for a part that is only seldom on something, and for a foot or a pelvis: about 16° and 8° between neighbors. */
export const FEW_DIRECTIONS = 160;
export const MANY_DIRECTIONS = 640;

/** Angle between consecutive points of a Fibonacci lattice, radians. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Results of {@link spreadDirections}: every bone of every character needs the same. */
const spread = new Map<number, Float64Array>();

/** Spreads directions evenly over the sphere; with every direction comes its mirror image, so that both sides of a character are treated alike. */
export function spreadDirections(count: number): Float64Array {
  const known = spread.get(count);
  if (known !== undefined) return known;
  const half = count / 2;
  const directions = new Float64Array(6 * half);
  for (let k = 0; k < half; k++) {
    const y = 1 - (2 * k + 1) / half;
    const radius = Math.sqrt(1 - y * y);
    const [x, z] = [radius * Math.cos(GOLDEN_ANGLE * k), radius * Math.sin(GOLDEN_ANGLE * k)];
    directions.set([x, y, z, -x, y, z], 6 * k);
  }
  spread.set(count, directions);
  return directions;
}

/** Points per block. Neighbors in a mesh are close to each other, so that most blocks are too far back in a direction to have its furthest point. */
const BLOCK = 16;
/** By how much the sphere around a block is enlarged, relative to its coordinates: far above rounding. */
const BLOCK_MARGIN = 1e-9;
/** Floats per block: center and radius of a sphere around its points. */
const SPHERE_STRIDE = 4;

/** Computes a sphere around each block of points. */
function blockSpheres(points: Float64Array): Float64Array {
  const size = points.length / 3;
  const spheres = new Float64Array(SPHERE_STRIDE * Math.ceil(size / BLOCK));
  for (let from = 0, at = 0; from < size; from += BLOCK, at += SPHERE_STRIDE) {
    const to = Math.min(size, from + BLOCK);
    for (let k = 3 * from; k < 3 * to; k++) spheres[at + (k % 3)] += points[k] / (to - from);
    let radius = 0;
    for (let k = 3 * from; k < 3 * to; k += 3) radius = Math.max(radius, vec3.distance(points, k, spheres, at));
    spheres[at + 3] = radius + BLOCK_MARGIN * (radius + vec3.length(spheres, at));
  }
  return spheres;
}

/**
 * Returns the point that is the furthest in a direction, the first one of those at the same distance; −1 for points that are not finite. `reach`
 * receives how far each block reaches.
 */
function furthestPoint(
  points: Float64Array,
  spheres: Float64Array,
  reach: Float64Array,
  x: number,
  y: number,
  z: number,
): number {
  let first = 0;
  for (let block = 0; block < reach.length; block++) {
    const s = SPHERE_STRIDE * block;
    reach[block] = x * spheres[s] + y * spheres[s + 1] + z * spheres[s + 2] + spheres[s + 3];
    if (reach[block] > reach[first]) first = block;
  }
  let furthest = -1;
  let most = Number.NEGATIVE_INFINITY;
  // The block that reaches the furthest comes first: after it, few others can have a point that is further.
  for (let k = -1; k < reach.length; k++) {
    const block = k < 0 ? first : k;
    if (k === first || reach[block] < most) continue;
    const end = Math.min(points.length, 3 * BLOCK * (block + 1));
    for (let at = 3 * BLOCK * block; at < end; at += 3) {
      const along = x * points[at] + y * points[at + 1] + z * points[at + 2];
      if (!(along > most || (along === most && at < furthest))) continue;
      most = along;
      furthest = at;
    }
  }
  return furthest < 0 ? -1 : furthest / 3;
}

/**
 * Finds the points of a cloud that are the furthest in some direction: the support points of its convex hull. The lowest point of the cloud in any
 * orientation is one of them, up to a small fraction of its size. `cloud`: indices of the points, ascending; all by default. Returns indices of the
 * points, ascending. Of points at the same distance the first one counts.
 */
export function extremePoints(positions: ArrayLike<number>, count: number, cloud?: readonly number[]): number[] {
  const size = cloud?.length ?? Math.floor(positions.length / 3);
  if (size === 0) return [];
  const points = new Float64Array(3 * size);
  for (let k = 0; k < size; k++) vec3.copy(points, 3 * k, positions, 3 * (cloud?.[k] ?? k));
  const spheres = blockSpheres(points);
  const reach = new Float64Array(spheres.length / SPHERE_STRIDE);
  const directions = spreadDirections(count);
  const isFound = new Uint8Array(size);
  for (let at = 0; at < directions.length; at += 3) {
    const furthest = furthestPoint(points, spheres, reach, directions[at], directions[at + 1], directions[at + 2]);
    if (furthest >= 0) isFound[furthest] = 1;
  }
  const found: number[] = [];
  for (let k = isFound.indexOf(1); k >= 0; k = isFound.indexOf(1, k + 1)) found.push(cloud?.[k] ?? k);
  return found;
}
