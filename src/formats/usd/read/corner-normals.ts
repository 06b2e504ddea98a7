/** Normals of corners at the vertices of a primitive. */
import { polygonNormal } from '../../../core/asset/polygon-normal.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { PrimvarValues } from './read-primvars.ts';

/** Normals of length 1, 3 floats a vertex, at the corners that vertices are made of. Corners without a usable one get that of their face. */
export function unitNormals(polygons: UsdPolygons, normals: PrimvarValues, cornerOf: Int32Array): Float32Array {
  const out = new Float32Array(3 * cornerOf.length);
  const normal = new Float64Array(3);
  const { indices, values } = normals;
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const at = 3 * indices[cornerOf[vertex]];
    const to = 3 * vertex;
    // Squares of float32 numbers are in range.
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

/** Makes a vector of length 1; false, and nothing done, where it has none. */
function normalize(v: Float64Array): boolean {
  const length = Math.hypot(v[0], v[1], v[2]);
  if (!(length > 0 && length <= FLOAT32_MAX)) return false;
  for (let c = 0; c < 3; c++) v[c] /= length;
  return true;
}
