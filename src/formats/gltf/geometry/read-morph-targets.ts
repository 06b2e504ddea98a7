/** Morph targets of a primitive: glTF 2.0 section 3.7.2.2. */
import type { MorphTarget } from '../../../core/asset/geometry.ts';
import { accessorInfo, readFloats, readSparseFloats } from '../accessor.ts';
import type { ComponentArray } from '../element-layout.ts';
import { indexAt, type JsonObject, listItem } from '../schema.ts';
import { accessorError } from '../stored-elements.ts';
import { note } from './geometry-findings.ts';
import { finiteFloats, type GeometryReading } from './geometry-reading.ts';
import { keyOfArray, madeArray } from './made-arrays.ts';

/** A target that changes nothing. */
export const STILL_TARGET: MorphTarget = { vertices: null, positions: null, normals: null, tangents: null };

/** Deltas of one attribute: of all vertices, or of some. */
interface Deltas {
  readonly vertices: ComponentArray | null;
  readonly values: Float32Array;
  readonly pointer: string;
}

/**
 * A morph target. It is sparse when all its accessors are sparse ones without a base; accessors with neither stand for
 * no change. FormatError GLTF_ACCESSOR for other types and numbers than expected, and those of `readAccessor`.
 */
export function readMorphTarget(
  reading: GeometryReading,
  target: JsonObject,
  pointer: string,
  vertexCount: number,
): MorphTarget {
  const deltas = (name: string): Deltas | null => readDeltas(reading, target, name, pointer, vertexCount);
  const positions = deltas('POSITION');
  const normals = deltas('NORMAL');
  const tangents = deltas('TANGENT');
  for (const name of Object.keys(target)) {
    if (name !== 'POSITION' && name !== 'NORMAL' && name !== 'TANGENT') {
      note(reading.findings, 'targetAttribute', name, pointer);
    }
  }
  const present = [positions, normals, tangents].filter((found) => found !== null);
  if (present.length === 0) return STILL_TARGET;
  const vertices = commonVertices(reading, present);
  const spread = (found: Deltas | null): Float32Array | null =>
    found === null ? null : spreadDeltas(reading, found, vertices, vertexCount);
  return { vertices, positions: spread(positions), normals: spread(normals), tangents: spread(tangents) };
}

function readDeltas(
  reading: GeometryReading,
  target: JsonObject,
  name: string,
  targetPointer: string,
  vertexCount: number,
): Deltas | null {
  const { doc } = reading;
  const index = indexAt(target, name, targetPointer, doc.json, 'accessors');
  if (index === undefined) return null;
  const pointer = `/accessors/${index}`;
  const { type, count } = accessorInfo(doc, index);
  if (type !== 'VEC3') throw accessorError(`it is ${name} of a morph target of type ${type}, expected VEC3`, pointer);
  if (count !== vertexCount) {
    throw accessorError(`it has ${count} elements, the mesh of ${targetPointer} has ${vertexCount} vertices`, pointer);
  }
  const accessor = listItem(doc.json, 'accessors', index);
  if (!Object.hasOwn(accessor, 'bufferView') && !Object.hasOwn(accessor, 'sparse')) return null;
  const sparse = readSparseFloats(doc, index);
  const values = finiteFloats(reading, sparse?.values ?? readFloats(doc, index), pointer);
  return { vertices: sparse?.indices ?? null, values, pointer };
}

/** The vertices that any of the attributes changes, rising; null where one changes all. */
function commonVertices({ doc }: GeometryReading, deltas: readonly Deltas[]): Uint32Array | null {
  const lists = new Map<string, ComponentArray>();
  for (const { vertices } of deltas) {
    if (vertices === null) return null;
    lists.set(keyOfArray(doc, vertices), vertices);
  }
  const sources = [...lists.values()];
  const [first] = sources;
  if (sources.length === 1 && first instanceof Uint32Array) return first;
  const most = sources.reduce((sum, list) => sum + list.length, 0);
  return madeArray(doc, 'vertices', sources, 4 * most, deltas[0].pointer, () => {
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

/** The deltas of just the vertices wanted, null for all of them; 0 for those that do not change. */
function spreadDeltas(
  { doc }: GeometryReading,
  { vertices: own, values, pointer }: Deltas,
  vertices: Uint32Array | null,
  vertexCount: number,
): Float32Array {
  if (own === null || (vertices !== null && own.length === vertices.length)) return values;
  const count = vertices?.length ?? vertexCount;
  const sources = vertices === null ? [own, values] : [own, values, vertices];
  return madeArray(doc, `deltas ${count}`, sources, 12 * count, pointer, () => {
    const spread = new Float32Array(3 * count);
    let place = 0;
    for (let i = 0; i < own.length; i++) {
      if (vertices === null) place = own[i];
      else while (vertices[place] < own[i]) place++;
      for (let c = 0; c < 3; c++) spread[3 * place + c] = values[3 * i + c];
    }
    return spread;
  });
}
