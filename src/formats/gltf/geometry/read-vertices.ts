/** Attributes of the vertices of a primitive: glTF 2.0 section 3.7.2.1 and KHR_mesh_quantization. */
import type { MeshPrimitive } from '../../../core/asset/geometry.ts';
import { type AccessorData, floatsOf, readAccessor } from '../accessor.ts';
import type { DracoPrimitive } from '../decode-draco.ts';
import type { ComponentArray } from '../element-layout.ts';
import { indexAt, type JsonObject } from '../schema.ts';
import { accessorError } from '../stored-elements.ts';
import { note } from './geometry-findings.ts';
import { finiteFloats, type GeometryReading, type UnsignedArray } from './geometry-reading.ts';
import { madeArray } from './made-arrays.ts';
import { type JointSet, readInfluences } from './read-influences.ts';

/** What the vertices of a primitive have. */
export type PrimitiveVertices = Omit<MeshPrimitive, 'mode' | 'indices' | 'morphTargets' | 'material'>;

/** An attribute as it is stored, and where it comes from. */
interface StoredAttribute {
  readonly data: AccessorData;
  readonly pointer: string;
}

/**
 * Attributes by their names: from the compressed mesh where they are in it, else from their accessors. Names of no known
 * meaning, and sets behind a gap in the numbers, are noted and left out. Null without positions. `jointCount` is that of
 * the skin. FormatError GLTF_ACCESSOR for attributes of another type or number than expected, and those of `readAccessor`.
 */
export function readVertices(
  reading: GeometryReading,
  attributes: JsonObject,
  pointer: string,
  draco: DracoPrimitive | null,
  jointCount: number,
): PrimitiveVertices | null {
  const { doc } = reading;
  const taken = new Set<string>();
  let vertexCount = -1;
  const stored = (name: string, widths: readonly number[]): StoredAttribute | null => {
    const index = indexAt(attributes, name, pointer, doc.json, 'accessors');
    if (index === undefined) return null;
    taken.add(name);
    const data = draco?.attributes.get(name) ?? readAccessor(doc, index);
    const where = `/accessors/${index}`;
    if (!widths.includes(data.width) || data.type.startsWith('MAT')) {
      throw accessorError(`it is ${name} of type ${data.type}, expected VEC${widths.join(' or VEC')}`, where);
    }
    if (vertexCount < 0) vertexCount = data.count;
    if (data.count === vertexCount) return { data, pointer: where };
    throw accessorError(`it has ${data.count} elements, the positions of ${pointer} are ${vertexCount}`, where);
  };
  const floats = (name: string, width: number): Float32Array | null => {
    const attribute = stored(name, [width]);
    return attribute === null ? null : floatsIn(reading, attribute);
  };

  const positions = floats('POSITION', 3);
  if (positions === null) return null;
  const normals = floats('NORMAL', 3);
  const tangents = floats('TANGENT', 4);
  const uvs = setsOf((n) => floats(`TEXCOORD_${n}`, 2));
  const colors = setsOf((n) => {
    const color = stored(`COLOR_${n}`, [3, 4]);
    return color === null ? null : rgbaOf(reading, color);
  });
  const sets = setsOf((n): JointSet | null => {
    if (!Object.hasOwn(attributes, `JOINTS_${n}`) || !Object.hasOwn(attributes, `WEIGHTS_${n}`)) return null;
    const joints = stored(`JOINTS_${n}`, [4]);
    const weights = floats(`WEIGHTS_${n}`, 4);
    return joints === null || weights === null
      ? null
      : { joints: wholeNumbers(joints), weights, pointer: joints.pointer };
  });
  for (const name of Object.keys(attributes)) {
    if (!taken.has(name)) note(reading.findings, 'attribute', name, pointer);
  }
  const influences = sets.length === 0 ? null : readInfluences(reading, sets, jointCount);
  return { vertexCount, positions, normals, tangents, uvs, colors, influences };
}

/** Set 0, set 1 … up to, without, the first that there is not. */
function setsOf<T>(read: (n: number) => T | null): T[] {
  const sets: T[] = [];
  for (let set = read(0); set !== null; set = read(sets.length)) sets.push(set);
  return sets;
}

function floatsIn(reading: GeometryReading, { data, pointer }: StoredAttribute): Float32Array {
  const floats = floatsOf(reading.doc, data, pointer);
  // Integers are finite.
  return floats === data.array ? finiteFloats(reading, floats, pointer) : floats;
}

/** Colors with alpha, 1 where there was none. */
function rgbaOf(reading: GeometryReading, color: StoredAttribute): Float32Array {
  const floats = floatsIn(reading, color);
  const { width, count } = color.data;
  if (width === 4) return floats;
  return madeArray(reading.doc, 'rgba', [floats], 16 * count, color.pointer, () => {
    const rgba = new Float32Array(4 * count).fill(1);
    for (let i = 0; i < count; i++) for (let c = 0; c < 3; c++) rgba[4 * i + c] = floats[3 * i + c];
    return rgba;
  });
}

function wholeNumbers({ data, pointer }: StoredAttribute): UnsignedArray {
  const array: ComponentArray = data.array;
  if (array instanceof Uint16Array || array instanceof Uint8Array || array instanceof Uint32Array) return array;
  const reason = `joints have component type ${data.componentType}, it must be 5121 or 5123`;
  throw accessorError(reason, pointer);
}
