/** Morph targets of a primitive: glTF 2.0 section 3.7.2.2. */
import type { MorphTarget } from '../../../core/asset/geometry.ts';
import { accessorInfo, readFloats, readSparseFloats } from '../accessors/accessor.ts';
import type { ComponentArray } from '../accessors/element-layout.ts';
import { accessorError } from '../accessors/stored-elements.ts';
import { indexAt, type JsonObject, listItem } from '../document/json-access.ts';
import { arrayKey, derivedArray } from './derived-arrays.ts';
import { countIssue } from './geometry-issues.ts';
import { finiteFloats, type GeometryReader } from './geometry-reader.ts';

export const EMPTY_TARGET: MorphTarget = { vertices: null, positions: null, normals: null, tangents: null };

interface Deltas {
  /** Vertices that change; null: all. */
  readonly vertices: ComponentArray | null;
  /** 3 floats per changed vertex. */
  readonly values: Float32Array;
  readonly pointer: string;
}

/**
 * Reads a morph target. It is sparse where all its accessors are sparse without a base. An accessor with neither data nor sparse values changes
 * nothing. Throws FormatError GLTF_ACCESSOR for accessors of another type or size than expected, and those of `readAccessor`.
 */
export function readMorphTarget(
  reader: GeometryReader,
  target: JsonObject,
  pointer: string,
  vertexCount: number,
): MorphTarget {
  const deltas = (name: string): Deltas | null => readDeltas(reader, target, name, pointer, vertexCount);
  const positions = deltas('POSITION');
  const normals = deltas('NORMAL');
  const tangents = deltas('TANGENT');
  for (const name of Object.keys(target)) {
    if (name !== 'POSITION' && name !== 'NORMAL' && name !== 'TANGENT') {
      countIssue(reader.issueCounts, 'targetAttribute', name, pointer);
    }
  }
  const present = [positions, normals, tangents].filter((attribute) => attribute !== null);
  if (present.length === 0) return EMPTY_TARGET;
  const vertices = commonVertices(reader, present);
  const spread = (attribute: Deltas | null): Float32Array | null =>
    attribute === null ? null : spreadDeltas(reader, attribute, vertices, vertexCount);
  return { vertices, positions: spread(positions), normals: spread(normals), tangents: spread(tangents) };
}

function readDeltas(
  reader: GeometryReader,
  target: JsonObject,
  name: string,
  targetPointer: string,
  vertexCount: number,
): Deltas | null {
  const { doc } = reader;
  const index = indexAt(target, name, targetPointer, doc.json, 'accessors');
  if (index === undefined) return null;
  const pointer = `/accessors/${index}`;
  const { type, count } = accessorInfo(doc, index);
  if (type !== 'VEC3') throw accessorError(`its type is ${type}, expected VEC3 for ${name} of a morph target`, pointer);
  if (count !== vertexCount) {
    throw accessorError(
      `it has ${count} elements, but the mesh of ${targetPointer} has ${vertexCount} vertices`,
      pointer,
    );
  }
  const accessor = listItem(doc.json, 'accessors', index);
  if (!Object.hasOwn(accessor, 'bufferView') && !Object.hasOwn(accessor, 'sparse')) return null;
  const sparse = readSparseFloats(doc, index);
  const values = finiteFloats(reader, sparse?.values ?? readFloats(doc, index), pointer);
  return { vertices: sparse?.indices ?? null, values, pointer };
}

/** The vertices that any of the attributes changes, ascending; null where one attribute changes all. */
function commonVertices({ doc }: GeometryReader, deltas: readonly Deltas[]): Uint32Array | null {
  const lists = new Map<string, ComponentArray>();
  for (const { vertices } of deltas) {
    if (vertices === null) return null;
    lists.set(arrayKey(doc, vertices), vertices);
  }
  const sources = [...lists.values()];
  const [first] = sources;
  if (sources.length === 1 && first instanceof Uint32Array) return first;
  const most = sources.reduce((sum, list) => sum + list.length, 0);
  return derivedArray(doc, 'vertices', sources, 4 * most, deltas[0].pointer, () => {
    const all = new Uint32Array(most);
    let from = 0;
    for (const list of sources) {
      all.set(list, from);
      from += list.length;
    }
    all.sort();
    return all.filter((vertex, i) => i === 0 || vertex !== all[i - 1]);
  });
}

/** The deltas of the wanted vertices (null: all); 0 for those that this attribute does not change. */
function spreadDeltas(
  { doc }: GeometryReader,
  { vertices: own, values, pointer }: Deltas,
  vertices: Uint32Array | null,
  vertexCount: number,
): Float32Array {
  if (own === null || (vertices !== null && own.length === vertices.length)) return values;
  const count = vertices?.length ?? vertexCount;
  const sources = vertices === null ? [own, values] : [own, values, vertices];
  return derivedArray(doc, `deltas ${count}`, sources, 12 * count, pointer, () => {
    const spread = new Float32Array(3 * count);
    let offset = 0;
    for (let i = 0; i < own.length; i++) {
      if (vertices === null) offset = own[i];
      else while (vertices[offset] < own[i]) offset++;
      for (let c = 0; c < 3; c++) spread[3 * offset + c] = values[3 * i + c];
    }
    return spread;
  });
}
