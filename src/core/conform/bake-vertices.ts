/**
 * A mesh as a pose of its joints shows it, made its own shape. Linear blend skinning moves a vertex by one matrix, the weighted sum of the matrices
 * of its joints; offsets of morph targets go through the same matrix, so that a morphed vertex, too, is where skinning showed it (glTF 2.0 sections
 * 3.7.2.2, 3.7.3.3).
 */
import { type Influences, influenceRuns } from '../deform/influences.ts';
import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/** Floats of a blended matrix: the upper three rows, column by column. */
const BAKE_STRIDE = 12;

/**
 * The matrix of every vertex, {@link BAKE_STRIDE} floats each. `influences`: weights that add up to 1; `matrices`: of `skinningMatrices`, {@link
 * MATRIX_STRIDE} floats a joint; for normals those of `normalMatrices`.
 */
export function blendedMatrices(influences: Influences, vertexCount: number, matrices: Float64Array): Float64Array {
  const { kind, jointsPerVertex, indices, weights } = influences;
  const out = new Float64Array(BAKE_STRIDE * vertexCount);
  const runs = kind === 'constant' ? 1 : Math.min(vertexCount, influenceRuns(influences));
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

/** Points moved by the matrices of their vertices; 3 floats a vertex. */
export function bakePoints(blended: Float64Array, points: Floats): Float64Array {
  return bake(blended, points, 3, null, 1);
}

/** Offsets turned and scaled by the matrices of the vertices they belong to; null: of all vertices in order. 3 floats each. */
export function bakeOffsets(blended: Float64Array, offsets: Floats, vertices: ArrayLike<number> | null): Float64Array {
  return bake(blended, offsets, 3, vertices, 0);
}

/**
 * Directions turned by the matrices of their vertices, made unit; 3 floats a direction, or 4 where a handedness follows, which is copied. `lengths` gets
 * what each was divided by: the offsets that morph it are to be divided by the same.
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
