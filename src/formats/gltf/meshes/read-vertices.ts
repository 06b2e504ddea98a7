/** Vertex attributes of a primitive: glTF 2.0 section 3.7.2.1 and KHR_mesh_quantization. */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';
import { type AccessorData, floatsOf, readAccessor } from '../accessors/accessor.ts';
import type { DracoPrimitive } from '../accessors/decode-draco.ts';
import type { ComponentArray } from '../accessors/element-layout.ts';
import { accessorError } from '../accessors/stored-elements.ts';
import { indexAt, type JsonObject } from '../document/json-access.ts';
import { derivedArray } from './derived-arrays.ts';
import { countIssue } from './geometry-issues.ts';
import { finiteFloats, type GeometryReader, type UnsignedArray } from './geometry-reader.ts';
import { type JointSet, readInfluences } from './read-influences.ts';

export type PrimitiveVertices = Omit<MeshPrimitive, 'mode' | 'indices' | 'morphTargets' | 'material'>;

interface StoredAttribute {
  readonly data: AccessorData;
  readonly pointer: string;
}

/**
 * Reads the vertex attributes of a primitive, from the compressed mesh where it has them, else from accessors. Unknown attributes, and sets after a
 * gap in the numbering, are counted and left out. `draco`: the decoded primitive; null where it is not compressed. Returns the attributes; null
 * without positions. Throws FormatError GLTF_ACCESSOR for attributes of another type or size than expected, and those of `readAccessor`.
 */
export function readVertices(
  reader: GeometryReader,
  attributes: JsonObject,
  pointer: string,
  draco: DracoPrimitive | null,
  jointCount: number,
): PrimitiveVertices | null {
  const { doc } = reader;
  const taken = new Set<string>();
  let vertexCount = -1;
  const stored = (name: string, widths: readonly number[]): StoredAttribute | null => {
    const index = indexAt(attributes, name, pointer, doc.json, 'accessors');
    if (index === undefined) return null;
    taken.add(name);
    const data = draco?.attributes.get(name) ?? readAccessor(doc, index);
    const where = `/accessors/${index}`;
    if (!widths.includes(data.width) || data.type.startsWith('MAT')) {
      throw accessorError(`its type is ${data.type}, expected VEC${widths.join(' or VEC')} for ${name}`, where);
    }
    if (vertexCount < 0) vertexCount = data.count;
    if (data.count === vertexCount) return { data, pointer: where };
    throw accessorError(`it has ${data.count} elements, but ${pointer} has ${vertexCount} positions`, where);
  };
  const floats = (name: string, width: number): Float32Array | null => {
    const attribute = stored(name, [width]);
    return attribute === null ? null : floatsIn(reader, attribute);
  };

  const positions = floats('POSITION', 3);
  if (positions === null) return null;
  const shown = (name: string, width: number): Float32Array | null => (reader.isPlain ? null : floats(name, width));
  const normals = shown('NORMAL', 3);
  const tangents = shown('TANGENT', 4);
  const uvs = setsOf((n) => shown(`TEXCOORD_${n}`, 2));
  const colors = setsOf((n) => {
    if (reader.isPlain) return null;
    const color = stored(`COLOR_${n}`, [3, 4]);
    return color === null ? null : rgbaOf(reader, color);
  });
  const sets = setsOf((n): JointSet | null => {
    if (!Object.hasOwn(attributes, `JOINTS_${n}`) || !Object.hasOwn(attributes, `WEIGHTS_${n}`)) return null;
    const joints = stored(`JOINTS_${n}`, [4]);
    const weights = floats(`WEIGHTS_${n}`, 4);
    return joints === null || weights === null
      ? null
      : { joints: unsignedJoints(joints), weights, pointer: joints.pointer };
  });
  for (const name of Object.keys(attributes)) {
    if (!taken.has(name)) countIssue(reader.issueCounts, 'attribute', name, pointer);
  }
  const influences = sets.length === 0 ? null : readInfluences(reader, sets, jointCount);
  return { vertexCount, positions, normals, tangents, uvs, colors, influences };
}

/** Set 0, 1, … up to the first missing one. */
function setsOf<T>(read: (n: number) => T | null): T[] {
  const sets: T[] = [];
  for (let set = read(0); set !== null; set = read(sets.length)) sets.push(set);
  return sets;
}

function floatsIn(reader: GeometryReader, { data, pointer }: StoredAttribute): Float32Array {
  const floats = floatsOf(reader.doc, data, pointer);
  // Integers are finite.
  return floats === data.array ? finiteFloats(reader, floats, pointer) : floats;
}

/** Colors with alpha, 1 where the file has none. */
function rgbaOf(reader: GeometryReader, color: StoredAttribute): Float32Array {
  const floats = floatsIn(reader, color);
  const { width, count } = color.data;
  if (width === 4) return floats;
  return derivedArray(reader.doc, 'rgba', [floats], 16 * count, color.pointer, () => {
    const rgba = new Float32Array(4 * count).fill(1);
    for (let i = 0; i < count; i++) for (let c = 0; c < 3; c++) rgba[4 * i + c] = floats[3 * i + c];
    return rgba;
  });
}

function unsignedJoints({ data, pointer }: StoredAttribute): UnsignedArray {
  const array: ComponentArray = data.array;
  if (array instanceof Uint16Array || array instanceof Uint8Array || array instanceof Uint32Array) return array;
  const reason = `its component type is ${data.componentType}, expected 5121 or 5123 for joints`;
  throw accessorError(reason, pointer);
}
