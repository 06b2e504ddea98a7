import type { MeshPrimitive } from '../../../src/core/asset/geometry.ts';

/** A triangle with corners at (0, 0, 0), (1, 0, 0), (0, 1, 0). */
export const TRIANGLE: MeshPrimitive = {
  mode: 'triangles',
  vertexCount: 3,
  indices: null,
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  normals: null,
  tangents: null,
  uvs: [],
  colors: [],
  influences: null,
  morphTargets: [],
  material: -1,
};
