import type { MeshPrimitive } from '../../../../core/asset/geometry.ts';
import { pointExtents } from '../../../../core/deform/extents.ts';
import { authorRelationship } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { arrayOf, single, text, UNIFORM } from '../../author/author-values.ts';
import type { FieldValue, Layer } from '../../layer/layer.ts';
import { uvSetName } from '../../uv-sets.ts';

const VERTEX: Readonly<Record<string, FieldValue>> = { interpolation: text('token', 'vertex') };

interface MeshSurface {
  readonly triangles: Uint32Array;
  /** Path of the Material; the prim must have MaterialBindingAPI applied. Null for none. */
  readonly material: string | null;
  readonly doubleSided: boolean;
}

/**
 * Writes the attributes of a Mesh prim, without subdivision. UV sets become `primvars:st`, `primvars:st1`, …, with v up; the first color set becomes
 * displayColor and displayOpacity. Tangents are not written: renderers compute them from the UVs. `layer` is changed in place.
 */
export function writeMesh(layer: Layer, prim: string, primitive: MeshPrimitive, surface: MeshSurface): void {
  const { positions, normals, uvs, colors, vertexCount } = primitive;
  const { triangles, material, doubleSided } = surface;
  const check = (numbers: ArrayLike<number>, width: number, what: string): void => {
    if (numbers.length === width * vertexCount) return;
    const message = `A primitive has ${numbers.length} numbers of ${what} for ${vertexCount} vertices; expected ${width * vertexCount}.`;
    throw new RangeError(message);
  };
  const author = (name: string, typeName: string, value: Parameters<typeof authorAttribute>[4], metadata = {}): void =>
    authorAttribute(layer, prim, name, typeName, value, metadata);

  check(positions, 3, 'positions');
  const extent = new Float64Array(6);
  pointExtents(extent, 0, positions);
  if (vertexCount > 0) author('extent', 'float3[]', arrayOf('float3', extent));
  author('faceVertexCounts', 'int[]', arrayOf('int', new Int32Array(triangles.length / 3).fill(3)));
  author('faceVertexIndices', 'int[]', arrayOf('int', triangles));
  author('points', 'point3f[]', arrayOf('float3', positions));
  if (normals !== null) {
    check(normals, 3, 'normals');
    author('normals', 'normal3f[]', arrayOf('float3', normals), VERTEX);
  }
  uvs.forEach((uv, set) => {
    check(uv, 2, 'UVs');
    const flipped = uv.map((value, c) => (c % 2 === 0 ? value : 1 - value));
    author(`primvars:${uvSetName(set)}`, 'texCoord2f[]', arrayOf('float2', flipped), VERTEX);
  });
  if (colors.length > 0) {
    check(colors[0], 4, 'colors');
    const rgb = Float32Array.from({ length: 3 * vertexCount }, (_, c) => colors[0][4 * Math.floor(c / 3) + (c % 3)]);
    const alpha = Float32Array.from({ length: vertexCount }, (_, vertex) => colors[0][4 * vertex + 3]);
    author('primvars:displayColor', 'color3f[]', arrayOf('float3', rgb), VERTEX);
    if (alpha.some((value) => value !== 1)) {
      author('primvars:displayOpacity', 'float[]', arrayOf('float', alpha), VERTEX);
    }
  }
  author('subdivisionScheme', 'token', text('token', 'none'), UNIFORM);
  if (doubleSided) author('doubleSided', 'bool', single('bool', 1), UNIFORM);
  if (material !== null) authorRelationship(layer, prim, 'material:binding', [material]);
}
