/** Computes normals and tangents of length 1 at the vertices of a primitive. */
import { gatherCornerValues, normalizeFinite, type Polygons, polygonNormal } from '../../../core/asset/polygons.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { LayerElement } from './layer-elements.ts';

/**
 * Returns the matrix that transforms normals: the cofactors of the 3×3 part, which are its inverse transpose times its determinant. It has no
 * translation.
 */
export function directionMatrix(m: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  mat4.cofactors(out, 0, m, 0, mat4.determinant(m, 0) < 0 ? -1 : 1);
  return out;
}

/** Computes the normals of vertices. Corners without a usable normal get that of their polygon. */
export function unitNormals(
  polygons: Polygons,
  normals: LayerElement,
  cornerOf: Int32Array,
  directions: Float64Array,
): Float32Array {
  const out = gatherCornerValues(normals, cornerOf);
  const wide = new Float64Array(3);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    if (out[3 * vertex] === 0 && out[3 * vertex + 1] === 0 && out[3 * vertex + 2] === 0) {
      polygonNormal(wide, polygons, cornerOf[vertex]);
    } else wide.set(out.subarray(3 * vertex, 3 * vertex + 3));
    normalizeFinite(wide, 0);
    mat4.transformDirection(wide, 0, directions, 0, wide, 0);
    if (!normalizeFinite(wide, 0)) wide.set([0, 1, 0]);
    out.set(wide, 3 * vertex);
  }
  return out;
}

/**
 * Computes the tangents of vertices. The handedness is the side of normal × tangent that the binormal is on; 1 without binormals. `geometric` is
 * column-major.
 */
export function tangentsOf(
  tangents: LayerElement,
  binormals: LayerElement | null,
  normals: Float32Array,
  cornerOf: Int32Array,
  geometric: Float64Array,
): Float32Array {
  const along = gatherCornerValues(tangents, cornerOf);
  const across = binormals === null ? null : gatherCornerValues(binormals, cornerOf);
  const out = new Float32Array(4 * cornerOf.length);
  const t = new Float64Array(3);
  const b = new Float64Array(3);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const i = 3 * vertex;
    mat4.transformDirection(t, 0, geometric, 0, along, i);
    const n = normals.subarray(i, i + 3);
    // glTF requires length 1, so an invalid tangent becomes any direction along the surface.
    if (!normalizeFinite(t, 0)) perpendicular(t, n);
    let hand = 0;
    if (across !== null) {
      mat4.transformDirection(b, 0, geometric, 0, across, i);
      hand =
        (n[1] * t[2] - n[2] * t[1]) * b[0] + (n[2] * t[0] - n[0] * t[2]) * b[1] + (n[0] * t[1] - n[1] * t[0]) * b[2];
    }
    out.set(t, 4 * vertex);
    out[4 * vertex + 3] = hand < 0 ? -1 : 1;
  }
  return out;
}

function perpendicular(out: Float64Array, n: Float32Array): void {
  const least = Math.abs(n[0]) < 0.5 ? 0 : 1;
  out.fill(0);
  out[least] = 1;
  const along = n[least];
  for (let c = 0; c < 3; c++) out[c] -= along * n[c];
  normalizeFinite(out, 0);
}
