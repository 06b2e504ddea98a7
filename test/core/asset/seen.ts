/** How far two geometries are from showing the same. */
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import type { SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { times, rotated } from '../../reference/plain.ts';
import { type WorldPrimitive, worldVertices } from '../../reference/world-vertices.ts';

/** Every vector of a flat list put through a function. */
function mapVectors(numbers: readonly number[], map: (v: number[]) => readonly number[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < numbers.length; at += 3) out.push(...map(numbers.slice(at, at + 3)));
  return out;
}

/** The largest difference of two lists; infinite for lists of different lengths, NaN where one has a NaN. */
function difference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

/**
 * The largest difference of positions, as part of the size of all, and of normals between what is seen of `after` and of `before` put
 * through a change; parts of meshes of one name may stand in another order. Poses of 10 numbers a node; rest by default.
 */
export function seenError(
  before: Geometry,
  after: Geometry,
  change: SpaceChange | null = null,
  poses: readonly [ArrayLike<number>, ArrayLike<number>] = [before.nodes.rest, after.nodes.rest],
): number {
  const { rotation, scale } = change ?? { rotation: [0, 0, 0, 1], scale: 1 };
  const turn = Array.from(rotation);
  const wanted = worldVertices(before, poses[0]).map((seen): WorldPrimitive => {
    return {
      ...seen,
      positions: mapVectors(seen.positions, (p) => times(rotated(turn, p), scale)),
      normals: mapVectors(seen.normals, (n) => rotated(turn, n)),
    };
  });
  const left = worldVertices(after, poses[1]);
  if (left.length !== wanted.length || wanted.length === 0) return Number.NaN;
  const size = wanted.flatMap(({ positions }) => positions).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  let error = 0;
  for (const { meshName, positions, normals } of wanted) {
    const errors = left.map((seen) => {
      if (seen.meshName !== meshName) return Number.POSITIVE_INFINITY;
      return Math.max(difference(seen.positions, positions) / size, difference(seen.normals, normals));
    });
    const least = Math.min(...errors);
    error = Math.max(error, least);
    left.splice(errors.indexOf(least), 1);
  }
  return error;
}
