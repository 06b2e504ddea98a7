/** How far two geometries are from showing the same. */
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import type { SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { largest } from '../../laws/law.ts';
import { times, turned } from '../../reference/plain.ts';
import { seenVertices } from '../../reference/world-vertices.ts';

/** Every vector of a flat list. */
export function vectors(numbers: ArrayLike<number>): number[][] {
  return Array.from({ length: numbers.length / 3 }, (_, v) => [numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]]);
}

/**
 * The largest difference of positions, as part of the size of the whole, and of normals between what is seen of `after` and of `before`
 * put through a change. Poses of 10 numbers a node; rest by default.
 */
export function seenError(
  before: Geometry,
  after: Geometry,
  change: SpaceChange | null,
  poses: readonly [ArrayLike<number>, ArrayLike<number>] = [before.nodes.rest, after.nodes.rest],
): number {
  const was = seenVertices(before, poses[0]);
  const is = seenVertices(after, poses[1]);
  if (was.length !== is.length) return Number.NaN;
  const { rotation, scale } = change ?? { rotation: [0, 0, 0, 1], scale: 1 };
  const turn = Array.from(rotation);
  let error = 0;
  was.forEach((seen, i) => {
    const wanted = vectors(seen.positions).flatMap((p) => [...times(turned(turn, p), scale)]);
    const normals = vectors(seen.normals).flatMap((n) => [...turned(turn, n)]);
    if (wanted.length !== is[i].positions.length || normals.length !== is[i].normals.length) error = Number.NaN;
    const size = Math.max(1e-9, ...wanted.map(Math.abs));
    error = largest(
      error,
      ...wanted.map((x, c) => Math.abs(x - is[i].positions[c]) / size),
      ...normals.map((x, c) => Math.abs(x - is[i].normals[c])),
    );
  });
  return error;
}
