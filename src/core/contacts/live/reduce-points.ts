/** Reduces the points of a surface to the few that live contacts can afford. */
import { MANY_DIRECTIONS, spreadDirections } from '../surface/extreme-points.ts';

/** Height of a unit direction that counts as above the horizon. */
const HORIZON = 0.3;

/**
 * Chooses points so that the lowest of them is hardly higher than the lowest of all, however the cloud is rotated: one by one, the point that is
 * missed most. `tolerance`: height that may be missed, in the unit of the positions, when a direction below the horizon becomes the lowest. Returns
 * indices of the points, ascending.
 */
export function reducePoints(
  positions: ArrayLike<number>,
  tolerance: number,
  upperTolerance: number,
  most: number,
): number[] {
  const count = Math.floor(positions.length / 3);
  const directions = spreadDirections(MANY_DIRECTIONS);
  const size = directions.length / 3;
  const along = (direction: number, point: number): number =>
    directions[3 * direction] * positions[3 * point] +
    directions[3 * direction + 1] * positions[3 * point + 1] +
    directions[3 * direction + 2] * positions[3 * point + 2];
  const furthest = new Int32Array(size);
  for (let direction = 0; direction < size; direction++) {
    for (let point = 1; point < count; point++) {
      if (along(direction, point) > along(direction, furthest[direction])) furthest[direction] = point;
    }
  }
  const reached = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(most, count)) {
    let worst = -1;
    let missed = 1;
    for (let direction = 0; direction < size; direction++) {
      const allowed = directions[3 * direction + 1] > HORIZON ? upperTolerance : tolerance;
      const error = (along(direction, furthest[direction]) - reached[direction]) / allowed;
      if (!(error > missed)) continue;
      missed = error;
      worst = furthest[direction];
    }
    if (worst < 0) break;
    chosen.add(worst);
    for (let direction = 0; direction < size; direction++)
      reached[direction] = Math.max(reached[direction], along(direction, worst));
  }
  return [...chosen].sort((a, b) => a - b);
}
