/** Gathers face-corner normals at the vertices of a primitive. */
import { polygonNormal } from '../../../../core/asset/polygon-normal.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { PrimvarValues } from './read-primvars.ts';

/**
 * Gathers unit normals at the vertices. Corners without a finite, non-zero normal get the normal of their face, or +Y if the face has none either.
 *
 * @returns Unit normals, 3 floats per vertex.
 */
export function unitNormals(polygons: UsdPolygons, normals: PrimvarValues, cornerOf: Int32Array): Float32Array {
  const out = new Float32Array(3 * cornerOf.length);
  const normal = new Float64Array(3);
  const { indices, values } = normals;
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const at = 3 * indices[cornerOf[vertex]];
    const to = 3 * vertex;
    // Squares of float32 numbers do not overflow float64.
    const length = at < 0 ? 0 : Math.sqrt(values[at] ** 2 + values[at + 1] ** 2 + values[at + 2] ** 2);
    if (length > 0 && length <= FLOAT32_MAX) {
      for (let c = 0; c < 3; c++) out[to + c] = values[at + c] / length;
      continue;
    }
    polygonNormal(normal, polygons, cornerOf[vertex]);
    if (polygons.isLeftHanded) for (let c = 0; c < 3; c++) normal[c] = -normal[c];
    if (!normalize(normal)) normal.set([0, 1, 0]);
    out.set(normal, to);
  }
  return out;
}

/** Normalizes a vector in place. Returns false, without a change, if its length is zero or out of range. */
function normalize(v: Float64Array): boolean {
  const length = Math.hypot(v[0], v[1], v[2]);
  if (!(length > 0 && length <= FLOAT32_MAX)) return false;
  for (let c = 0; c < 3; c++) v[c] /= length;
  return true;
}
