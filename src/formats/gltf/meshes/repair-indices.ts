/** Vertex indices of a primitive, repaired so that every player draws the same: glTF 2.0 sections 3.7.2.1 and 5.24.4. */
import type { MeshPrimitive, PrimitiveMode } from '../../../core/asset/geometry.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';

/** Minimum number of indices per mode, and the number that the index count must be a multiple of. */
const CORNERS: Readonly<Record<PrimitiveMode, readonly [least: number, multiple: number]>> = {
  points: [1, 1],
  lines: [2, 2],
  'line-loop': [2, 1],
  'line-strip': [2, 1],
  triangles: [3, 3],
  'triangle-strip': [3, 1],
  'triangle-fan': [3, 1],
};

export interface RepairedIndices {
  /** Null: all vertices in order. */
  readonly indices: Uint32Array | null;
}

/**
 * Removes indices of vertices that do not exist, with the whole line or triangle in modes where indices are not connected, and incomplete lines or
 * triangles at the end. Returns the remaining indices; null where nothing is left to draw.
 */
export function repairIndices(
  { mode, indices, vertexCount }: Pick<MeshPrimitive, 'mode' | 'indices' | 'vertexCount'>,
  repairs: IssueTally,
): RepairedIndices | null {
  const [least, multiple] = CORNERS[mode];
  const usable = indices === null ? null : withExistingVertices(indices, vertexCount, multiple, repairs);
  const count = usable?.length ?? vertexCount;
  const excess = count % multiple;
  if (count - excess < least) {
    tallyIssue(repairs, `primitives of mode ${mode} with only ${count} indices (dropped)`);
    return null;
  }
  if (excess === 0) return { indices: usable };
  tallyIssue(repairs, `indices after the last complete element of ${mode} (dropped)`, excess);
  return { indices: (usable ?? Uint32Array.from({ length: count }, (_, i) => i)).slice(0, count - excess) };
}

/** The indices in groups of `size` whose vertices all exist. */
function withExistingVertices(
  indices: Uint32Array,
  vertexCount: number,
  size: number,
  repairs: IssueTally,
): Uint32Array {
  if (indices.every((index) => index < vertexCount)) return indices;
  const kept = new Uint32Array(indices.length);
  let end = 0;
  for (let first = 0; first < indices.length; first += size) {
    const group = indices.subarray(first, first + size);
    if (group.some((index) => index >= vertexCount)) continue;
    kept.set(group, end);
    end += group.length;
  }
  tallyIssue(
    repairs,
    'indices of vertices that do not exist, with the rest of their face (dropped)',
    indices.length - end,
  );
  return kept.slice(0, end);
}
