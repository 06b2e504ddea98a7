/**
 * Bakes a pose into a mesh: the skinned vertices become the mesh. Linear blend skinning moves a vertex by one matrix,
 * the weighted sum of the matrices of its joints. Offsets of morph targets go through the same matrix, so that morphed
 * vertices stay where skinning puts them (glTF 2.0 sections 3.7.2.2, 3.7.3.3).
 */
import { countInfluenceRuns, type Influences } from '../deform/influences.ts';
import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/** Floats per blended matrix: the upper three rows, column by column. */
const BAKE_STRIDE = 12;

export function blendMatrices(influences: Influences, vertexCount: number, matrices: Float64Array): Float64Array {
  const { kind, jointsPerVertex, indices, weights } = influences;
  const out = new Float64Array(BAKE_STRIDE * vertexCount);
  const runs = kind === 'constant' ? 1 : Math.min(vertexCount, countInfluenceRuns(influences));
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const run = kind === 'constant' ? 0 : vertex;
    if (run >= runs) break;
    const o = BAKE_STRIDE * vertex;
    for (let k = run * jointsPerVertex; k < (run + 1) * jointsPerVertex; k++) {
      const weight = weights[k];
      if (weight === 0) continue;
      const m = MATRIX_STRIDE * indices[k];
      for (let column = 0; column < 4; column++) {
        for (let row = 0; row < 3; row++) out[o + 3 * column + row] += weight * matrices[m + 4 * column + row];
      }
    }
  }
  return out;
}

export function bakePoints(blended: Float64Array, points: Floats): Float64Array {
  return bake(blended, points, 3, null, 1);
}

/**
 * Transforms offsets of morph targets by the linear part of the matrices of their vertices. `vertices`: vertex per offset; null for all vertices in
 * order.
 */
export function bakeOffsets(blended: Float64Array, offsets: Floats, vertices: ArrayLike<number> | null): Float64Array {
  return bake(blended, offsets, 3, vertices, 0);
}

/**
 * Transforms directions by the linear part of the matrices of their vertices and normalizes them. `lengths` receives the length that each direction
 * was divided by. Offsets of its morph targets are divided by the same.
 */
export function bakeDirections(
  blended: Float64Array,
  directions: Floats,
  stride: 3 | 4,
  lengths: Float64Array,
): Float64Array {
  const out = bake(blended, directions, stride, null, 0);
  for (let v = 0; v < lengths.length; v++) {
    const o = stride * v;
    const length = Math.hypot(out[o], out[o + 1], out[o + 2]);
    lengths[v] = length > 0 ? length : 1;
    for (let c = 0; c < 3; c++) out[o + c] /= lengths[v];
    if (stride === 4) out[o + 3] = directions[o + 3];
  }
  return out;
}

function bake(
  blended: Float64Array,
  vectors: Floats,
  stride: 3 | 4,
  vertices: ArrayLike<number> | null,
  shift: 0 | 1,
): Float64Array {
  const out = new Float64Array(vectors.length);
  for (let i = 0; stride * i + 2 < vectors.length; i++) {
    const at = stride * i;
    const m = BAKE_STRIDE * (vertices === null ? i : vertices[i]);
    for (let row = 0; row < 3; row++) {
      out[at + row] =
        blended[m + row] * vectors[at] +
        blended[m + 3 + row] * vectors[at + 1] +
        blended[m + 6 + row] * vectors[at + 2] +
        shift * blended[m + 9 + row];
    }
  }
  return out;
}
