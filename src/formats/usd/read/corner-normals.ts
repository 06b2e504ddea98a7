/** Normals of corners at the vertices of a primitive. */
import { polygonNormal } from '../../../core/asset/polygon-normal.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { CornerValues } from './read-primvars.ts';

/** Normals of length 1, 3 floats a vertex, at the corners that vertices are made of. Corners without a usable one get that of their face. */
export function unitNormals(polygons: UsdPolygons, normals: CornerValues, cornerOf: Int32Array): Float32Array {
  const out = new Float32Array(3 * cornerOf.length);
  const normal = new Float64Array(3);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const index = normals.indices[cornerOf[vertex]];
    if (index >= 0) normal.set(normals.values.subarray(3 * index, 3 * index + 3));
    if (index < 0 || !normalize(normal)) {
      polygonNormal(normal, polygons, cornerOf[vertex]);
      if (polygons.isLeftHanded) for (let c = 0; c < 3; c++) normal[c] = -normal[c];
      if (!normalize(normal)) normal.set([0, 1, 0]);
    }
    out.set(normal, 3 * vertex);
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
