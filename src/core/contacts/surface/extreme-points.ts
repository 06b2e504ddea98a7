/** Reduces a cloud of points to those that can touch a plane. */

/** Number of directions for a part that is only seldom on the ground, and for a foot: about 16° and 8° between neighbors. */
export const FEW_DIRECTIONS = 160;
/** See {@link FEW_DIRECTIONS}. */
export const MANY_DIRECTIONS = 640;

/** Angle between consecutive points of a Fibonacci lattice, radians. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Spreads directions evenly over the sphere; with every direction comes its mirror image, so that both sides of a character are treated alike.
 *
 * @param count Their number, even.
 * @returns xyz per direction, unit.
 */
export function spreadDirections(count: number): Float64Array {
  const half = count / 2;
  const directions = new Float64Array(6 * half);
  for (let k = 0; k < half; k++) {
    const y = 1 - (2 * k + 1) / half;
    const radius = Math.sqrt(1 - y * y);
    const [x, z] = [radius * Math.cos(GOLDEN_ANGLE * k), radius * Math.sin(GOLDEN_ANGLE * k)];
    directions.set([x, y, z, -x, y, z], 6 * k);
  }
  return directions;
}

/**
 * Finds the points of a cloud that are the furthest in some direction: the support points of its convex hull. The lowest point of the cloud in any
 * orientation is one of them, up to a small fraction of its size.
 *
 * @param positions xyz per point.
 * @param count Number of directions, even.
 * @returns Indices of the points, ascending.
 */
export function extremePoints(positions: ArrayLike<number>, count: number): number[] {
  const size = Math.floor(positions.length / 3);
  const directions = spreadDirections(count);
  const found = new Set<number>();
  for (let at = 0; at < directions.length; at += 3) {
    const x = directions[at];
    const y = directions[at + 1];
    const z = directions[at + 2];
    let furthest = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let point = 0; point < size; point++) {
      const along = x * positions[3 * point] + y * positions[3 * point + 1] + z * positions[3 * point + 2];
      if (!(along > most)) continue;
      most = along;
      furthest = point;
    }
    if (furthest >= 0) found.add(furthest);
  }
  return [...found].sort((a, b) => a - b);
}
