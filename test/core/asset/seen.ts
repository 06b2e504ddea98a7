/** Measures the difference between the rendered results of two geometries. */
import type { Geometry } from '../../../src/core/asset/geometry.ts';
import type { SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { rotated, times } from '../../support/reference/plain.ts';
import { type WorldPrimitive, worldVertices } from '../../support/reference/world-vertices.ts';

/** Applies a function to every vector of a flat list. */
function mapVectors(numbers: readonly number[], map: (v: number[]) => readonly number[]): number[] {
  const out: number[] = [];
  for (let at = 0; at < numbers.length; at += 3) out.push(...map(numbers.slice(at, at + 3)));
  return out;
}

/** Returns the largest difference of two lists; infinite for different lengths, NaN if any element is NaN. */
function difference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

/**
 * Returns the largest difference of positions (relative to the overall size) and of normals between the rendered `after` and the transformed
 * `before`. Primitives of meshes with the same name may be in a different order. Poses have 10 floats per node; the rest pose by default.
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
