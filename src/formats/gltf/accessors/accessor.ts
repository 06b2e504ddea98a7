/** Reads accessors. glTF 2.0 sections 3.6.2 and 5.1 to 5.4. */
import { FormatError } from '../../../core/report/format-error.ts';
import { spendBytes } from '../document/decode-budget.ts';
import { bufferId, type GltfDocument } from '../document/document.ts';
import { isInDracoMesh } from '../document/draco.ts';
import {
  booleanAt,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  required,
  stringAt,
} from '../document/json-access.ts';
import {
  type AccessorType,
  type ComponentArray,
  type ComponentType,
  copyElements,
  elementLayout,
  isAccessorType,
  TYPE_WIDTH,
  viewAsArray,
} from './element-layout.ts';
import {
  accessorError,
  componentTypeAt,
  elementsAt,
  memoryKey,
  packedElements,
  sparseIndices,
  sparsePatch,
} from './stored-elements.ts';

export type { AccessorType, ComponentArray, ComponentType } from './element-layout.ts';

export interface AccessorInfo {
  readonly type: AccessorType;
  /** Component type, the number that glTF assigns. */
  readonly componentType: ComponentType;
  /** True when integers encode fractions of 0…1 or −1…1 (section 3.6.2.2). */
  readonly normalized: boolean;
  readonly count: number;
  /** Components per element, 1 to 16. */
  readonly width: number;
}

export interface AccessorData extends AccessorInfo {
  /** `count × width` components, tightly packed. May be a view into the file: do not write to it. */
  readonly array: ComponentArray;
}

/**
 * Reads the description of an accessor, without its data. Throws FormatError GLTF_REFERENCE for an index past the end; GLTF_ACCESSOR for an unknown
 * type or component type; GLTF_SCHEMA.
 */
export function accessorInfo(doc: GltfDocument, index: number): AccessorInfo {
  return infoOf(listItem(doc.json, 'accessors', index), `/accessors/${index}`);
}

function infoOf(accessor: JsonObject, pointer: string): AccessorInfo {
  const componentType = componentTypeAt(accessor, pointer);
  const type = required(stringAt(accessor, 'type', pointer), 'type', pointer);
  if (!isAccessorType(type))
    throw accessorError(
      `its type is ${JSON.stringify(type.slice(0, 40))}, expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4`,
      pointer,
    );
  const count = required(integerAt(accessor, 'count', pointer, 1), 'count', pointer);
  const normalized = booleanAt(accessor, 'normalized', pointer) ?? false;
  // Floats and 32-bit integers have no normalized form (section 5.1.4): the flag is ignored.
  return { type, componentType, normalized: normalized && componentType < 5125, count, width: TYPE_WIDTH[type] };
}

/**
 * Reads the components of an accessor as they are stored. Interleaved and sparse accessors are packed; accessors without
 * a buffer view are zeros. The result is cached.
 *
 * @param views Bytes of the buffer views that earlier calls found, for callers that read many accessors and edit nothing in between.
 * @returns Description and data. The array may be a view into the file: do not write to it.
 * @throws FormatError GLTF_ACCESSOR for data outside its buffer view; GLTF_LIMIT for more data than `doc.limits` allow;
 * GLTF_COMPRESSION for data inside a Draco mesh; errors of `viewBytes`.
 * @example
 * const { array, count, width } = readAccessor(doc, 0); // component c of element i: array[i * width + c]
 */
export function readAccessor(doc: GltfDocument, index: number, views?: Map<number, Uint8Array>): AccessorData {
  const pointer = `/accessors/${index}`;
  const accessor = listItem(doc.json, 'accessors', index);
  const info = infoOf(accessor, pointer);
  const layout = elementLayout(info.type, info.componentType);
  const view = indexAt(accessor, 'bufferView', pointer, doc.json, 'bufferViews');
  const base =
    view === undefined ? null : elementsAt(doc, { owner: accessor, view, pointer, views }, info.count, layout);
  const patch = sparsePatch(doc, accessor, pointer, info.count, layout);
  if (base !== null && patch === null) {
    const packed = viewAsArray(base, info.count, layout);
    if (packed !== null) return dataOf(info, packed);
  }
  if (base === null && isInDracoMesh(doc, index)) {
    const message = `The data of ${pointer} is inside a mesh compressed with KHR_draco_mesh_compression; read the mesh with readGeometry instead`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer });
  }
  const memoryKeys = [base, patch?.indices, patch?.values].map((elements) =>
    elements ? memoryKey(doc, elements) : '-',
  );
  const key = [info.type, info.componentType, info.count, patch?.count, ...memoryKeys].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return dataOf(info, known as ComponentArray);

  spendBytes(doc, info.count * info.width * layout.componentSize, pointer);
  const array = new layout.arrayClass(info.count * info.width);
  if (base !== null) copyElements(base, info.count, layout, array, null);
  if (patch !== null) copyElements(patch.values, patch.count, layout, array, sparseIndices(patch, info.count));
  doc.cache.accessors.set(key, array);
  return dataOf(info, array);
}

function dataOf({ type, componentType, normalized, count, width }: AccessorInfo, array: ComponentArray): AccessorData {
  return { type, componentType, normalized, count, width, array };
}

/**
 * Reads a sparse accessor without a buffer view, whose other elements are 0, without expanding it. Returns the indices of the stored elements, ascending, and
 * their components, decoded as by {@link readFloats}; null for any other accessor. Do not write to the arrays.
 */
export function readSparseFloats(
  doc: GltfDocument,
  index: number,
): { indices: ComponentArray; values: Float32Array } | null {
  const accessor = listItem(doc.json, 'accessors', index);
  if (Object.hasOwn(accessor, 'bufferView') || !Object.hasOwn(accessor, 'sparse')) return null;
  const info = accessorInfo(doc, index);
  const pointer = `/accessors/${index}`;
  const layout = elementLayout(info.type, info.componentType);
  const patch = sparsePatch(doc, accessor, pointer, info.count, layout);
  if (patch === null) return null;
  const { accessors } = doc.cache;
  const memoryKeys = [memoryKey(doc, patch.indices), memoryKey(doc, patch.values)];
  const key = ['sparse', info.type, info.componentType, info.normalized, info.count, patch.count, ...memoryKeys].join();
  const known = accessors.get(`indices ${key}`);
  if (known !== undefined) {
    return { indices: known as ComponentArray, values: accessors.get(`values ${key}`) as Float32Array };
  }
  const indices = sparseIndices(patch, info.count);
  const values = floatsOf(doc, { ...info, array: packedElements(patch.values, patch.count, layout) }, pointer);
  accessors.set(`indices ${key}`, indices);
  accessors.set(`values ${key}`, values);
  return { indices, values };
}

/**
 * Reads the components of an accessor as floats. Normalized integers are decoded by the formulas of section 3.11; −128 and −32768 are clamped to −1.
 * Returns `count × width` floats. The array may be a view into the file: do not write to it. Throws FormatError as {@link readAccessor}.
 */
export function readFloats(doc: GltfDocument, index: number): Float32Array {
  return floatsOf(doc, readAccessor(doc, index), `/accessors/${index}`);
}

/** Converts stored components to floats, as {@link readFloats} does. The result is cached. Throws FormatError GLTF_LIMIT. */
export function floatsOf(
  doc: GltfDocument,
  { array, normalized, componentType }: Pick<AccessorData, 'array' | 'normalized' | 'componentType'>,
  pointer: string,
): Float32Array {
  if (array instanceof Float32Array) return array;
  const key = [normalized, componentType, array.length, bufferId(doc, array), array.byteOffset].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return known as Float32Array;
  spendBytes(doc, array.length * 4, pointer);
  const floats = normalized ? fractions(array, componentType) : new Float32Array(array);
  doc.cache.accessors.set(key, floats);
  return floats;
}

const BYTE_FRACTIONS = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

function fractions(array: ComponentArray, componentType: ComponentType): Float32Array {
  const floats = new Float32Array(array.length);
  if (array instanceof Uint8Array) {
    for (let i = 0; i < floats.length; i++) floats[i] = BYTE_FRACTIONS[array[i]];
    return floats;
  }
  const top = componentType === 5120 ? 127 : componentType === 5122 ? 32767 : 65535;
  for (let i = 0; i < floats.length; i++) floats[i] = Math.max(array[i] / top, -1);
  return floats;
}
