/** Vertices and morph targets of a document that is rotated by 180° about +Y. */
import { accessorInfo, readFloats, readSparseFloats } from '../accessors/accessor.ts';
import { type AccessorPool, ARRAY_BUFFER, poolAccessor, poolSparseAccessor } from '../accessors/accessor-pool.ts';
import { decodeDraco } from '../accessors/decode-draco.ts';
import { indexAt, type JsonObject, listItem, memberAt, objectAt, objectsAt } from '../document/json-access.ts';
import { dropDraco, storeUncompressed } from '../normalize/store-uncompressed.ts';

const DIRECTED = ['POSITION', 'NORMAL', 'TANGENT'] as const;

/** Negates x and z of vectors. Components that are not finite, which glTF forbids, become 0. */
function rotated(values: Float32Array, width: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(values);
  for (let i = 0; i < out.length; i++) {
    const component = i % width;
    if (!Number.isFinite(out[i])) out[i] = 0;
    else if (component === 0 || component === 2) out[i] = 0 - out[i];
  }
  return out;
}

/** Appends the rotated vectors of an accessor. Sparse morph targets stay sparse. */
function rotatedAccessor(pool: AccessorPool, index: number, isPosition: boolean): number {
  const { type, count } = accessorInfo(pool.doc, index);
  if (type !== 'VEC3' && type !== 'VEC4') return index;
  const sparse = type === 'VEC3' ? readSparseFloats(pool.doc, index) : null;
  if (sparse !== null) {
    const elements = Uint32Array.from(sparse.indices);
    return poolSparseAccessor(pool, {
      type: 'VEC3',
      count,
      elements,
      values: rotated(sparse.values, 3),
      minMax: isPosition,
    });
  }
  const accessor = listItem(pool.doc.json, 'accessors', index);
  const isZero = memberAt(accessor, 'bufferView') === undefined && memberAt(accessor, 'sparse') === undefined;
  if (isZero) return index;
  const values = rotated(readFloats(pool.doc, index), type === 'VEC3' ? 3 : 4);
  return poolAccessor(pool, values, { type, minMax: isPosition }, ARRAY_BUFFER);
}

/** Rotates positions, normals, tangents and their morph targets of all meshes. Draco-compressed primitives are stored uncompressed. */
export function rotateMeshes(pool: AccessorPool): void {
  const { doc } = pool;
  const known = new Map<string, number>();
  const rotate = (attributes: JsonObject, pointer: string): void => {
    for (const name of DIRECTED) {
      const index = indexAt(attributes, name, pointer, doc.json, 'accessors');
      if (index === undefined) continue;
      const key = `${index} ${name === 'POSITION'}`;
      const found = known.get(key) ?? rotatedAccessor(pool, index, name === 'POSITION');
      known.set(key, found);
      attributes[name] = found;
    }
  };
  for (const { json: mesh, pointer: meshPointer } of objectsAt(doc.json, 'meshes', '')) {
    for (const { json: primitive, pointer } of objectsAt(mesh, 'primitives', meshPointer)) {
      const attributes = objectAt(primitive, 'attributes', pointer);
      if (attributes === undefined) continue;
      const draco = decodeDraco(doc, primitive, pointer);
      if (draco !== null) storeUncompressed(doc, pool, primitive, attributes, draco);
      rotate(attributes, `${pointer}/attributes`);
      for (const target of objectsAt(primitive, 'targets', pointer)) rotate(target.json, target.pointer);
    }
  }
  dropDraco(doc);
}
