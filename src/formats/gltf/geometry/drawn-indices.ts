/** Which vertices a primitive draws, such that every player draws the same: glTF 2.0 sections 3.7.2.1 and 5.24.4. */
import type { MeshPrimitive, PrimitiveMode } from '../../../core/asset/geometry.ts';
import { countMends, type Mends } from '../mends.ts';

/** Fewest corners of a mode, and the number that corners must be a multiple of. */
const CORNERS: Readonly<Record<PrimitiveMode, readonly [least: number, multiple: number]>> = {
  points: [1, 1],
  lines: [2, 2],
  'line-loop': [2, 1],
  'line-strip': [2, 1],
  triangles: [3, 3],
  'triangle-strip': [3, 1],
  'triangle-fan': [3, 1],
};

/** What a primitive draws. */
export interface Drawn {
  /** Null: all vertices in order. */
  readonly indices: Uint32Array | null;
}

/**
 * The corners of a primitive without those of vertices that do not exist (with the whole line or triangle where corners are not
 * shared) and without an unfinished line or triangle at the end; null when nothing is left to draw.
 */
export function drawnIndices(
  { mode, indices, vertexCount }: Pick<MeshPrimitive, 'mode' | 'indices' | 'vertexCount'>,
  mends: Mends,
): Drawn | null {
  const [least, multiple] = CORNERS[mode];
  const usable = indices === null ? null : existing(indices, vertexCount, multiple, mends);
  const count = usable?.length ?? vertexCount;
  const rest = count % multiple;
  if (count - rest < least) {
    countMends(mends, `primitives of ${mode} with ${count} corners (left out)`);
    return null;
  }
  if (rest === 0) return { indices: usable };
  countMends(mends, `corners behind the last whole one of ${mode} (left out)`, rest);
  return { indices: (usable ?? Uint32Array.from({ length: count }, (_, i) => i)).slice(0, count - rest) };
}

/** The indices in groups of `size` whose vertices all exist. */
function existing(indices: Uint32Array, vertexCount: number, size: number, mends: Mends): Uint32Array {
  if (indices.every((index) => index < vertexCount)) return indices;
  const kept = new Uint32Array(indices.length);
  let end = 0;
  for (let first = 0; first < indices.length; first += size) {
    const group = indices.subarray(first, first + size);
    if (group.some((index) => index >= vertexCount)) continue;
    kept.set(group, end);
    end += group.length;
  }
  countMends(mends, 'indices of vertices that do not exist, or of the same face (left out)', indices.length - end);
  return kept.slice(0, end);
}
