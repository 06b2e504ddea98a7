/** Reading of accessors: glTF 2.0 sections 3.6.2 and 5.1 to 5.4. */
import { FormatError } from '../../core/report/format-error.ts';
import { bufferId, type GltfDocument } from './document.ts';
import { isInDracoMesh } from './draco.ts';
import {
  type AccessorType,
  arrayInPlace,
  type ComponentArray,
  type ComponentType,
  copyElements,
  elementLayout,
  isAccessorType,
  TYPE_WIDTH,
} from './element-layout.ts';
import { spendBytes } from './limits.ts';
import { booleanAt, indexAt, integerAt, listItem, required, stringAt } from './schema.ts';
import {
  accessorError,
  componentTypeAt,
  elementsAt,
  packedElements,
  placeOf,
  sparseIndices,
  sparsePatch,
} from './stored-elements.ts';

export type { AccessorType, ComponentArray, ComponentType } from './element-layout.ts';

/** An accessor without its data. */
export interface AccessorInfo {
  readonly type: AccessorType;
  readonly componentType: ComponentType;
  /** Integers stand for fractions: section 3.6.2.2. */
  readonly normalized: boolean;
  /** Elements. */
  readonly count: number;
  /** Components of an element: 1 to 16. */
  readonly width: number;
}

/** An accessor as it is stored. */
export interface AccessorData extends AccessorInfo {
  /** `count × width` components without gaps. May be a view of the file: do not write to it. */
  readonly array: ComponentArray;
}

/**
 * What an accessor is, from its JSON alone. FormatError GLTF_REFERENCE when there is none, GLTF_SCHEMA when a value has
 * the wrong type, GLTF_ACCESSOR when component type or type is not one of glTF.
 */
export function accessorInfo(doc: GltfDocument, index: number): AccessorInfo {
  const pointer = `/accessors/${index}`;
  const accessor = listItem(doc.json, 'accessors', index);
  const componentType = componentTypeAt(accessor, pointer);
  const type = required(stringAt(accessor, 'type', pointer), 'type', pointer);
  if (!isAccessorType(type)) throw accessorError(`its type is ${JSON.stringify(type.slice(0, 40))}`, pointer);
  const count = required(integerAt(accessor, 'count', pointer, 1), 'count', pointer);
  const normalized = booleanAt(accessor, 'normalized', pointer) ?? false;
  // Floats and 32-bit integers have no normalized form (section 5.1.4): the flag is passed over.
  return { type, componentType, normalized: normalized && componentType < 5125, count, width: TYPE_WIDTH[type] };
}

/**
 * Components of an accessor as they are stored, without gaps: interleaved, sparse and empty accessors too. The array
 * may be a view of the file and is kept for the next reader: do not write to it. FormatError GLTF_ACCESSOR (data that
 * does not fit), GLTF_LIMIT (more than {@link GltfLimits}), GLTF_COMPRESSION (inside a Draco mesh), and those of `viewBytes`.
 */
export function readAccessor(doc: GltfDocument, index: number): AccessorData {
  const info = accessorInfo(doc, index);
  const pointer = `/accessors/${index}`;
  const accessor = listItem(doc.json, 'accessors', index);
  const layout = elementLayout(info.type, info.componentType);
  const view = indexAt(accessor, 'bufferView', pointer, doc.json, 'bufferViews');
  const base = view === undefined ? null : elementsAt(doc, accessor, view, pointer, info.count, layout);
  const patch = sparsePatch(doc, accessor, pointer, info.count, layout);
  if (base !== null && patch === null) {
    const inPlace = arrayInPlace(base, info.count, layout);
    if (inPlace !== null) return dataOf(info, inPlace);
  }
  if (base === null && isInDracoMesh(doc, index)) {
    const message = `${pointer} is inside a mesh compressed with KHR_draco_mesh_compression; it is decoded with its mesh`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer });
  }
  const places = [base, patch?.indices, patch?.values].map((elements) => (elements ? placeOf(doc, elements) : '-'));
  const key = [info.type, info.componentType, info.count, patch?.count, ...places].join();
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

/** Elements of an accessor that differ from 0. */
export interface SparseFloats {
  /** Elements, rising. */
  readonly indices: ComponentArray;
  /** Components of each of them, decoded as by {@link readFloats}. */
  readonly values: Float32Array;
}

/**
 * The elements of a sparse accessor that has no base, so that all others are 0; null for accessors that are stored
 * otherwise. Neither array is to be written to. Errors as with {@link readAccessor}.
 */
export function readSparseFloats(doc: GltfDocument, index: number): SparseFloats | null {
  const accessor = listItem(doc.json, 'accessors', index);
  if (Object.hasOwn(accessor, 'bufferView') || !Object.hasOwn(accessor, 'sparse')) return null;
  const info = accessorInfo(doc, index);
  const pointer = `/accessors/${index}`;
  const layout = elementLayout(info.type, info.componentType);
  const patch = sparsePatch(doc, accessor, pointer, info.count, layout);
  if (patch === null) return null;
  const { accessors } = doc.cache;
  const places = [placeOf(doc, patch.indices), placeOf(doc, patch.values)];
  const key = ['sparse', info.type, info.componentType, info.normalized, info.count, patch.count, ...places].join();
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
 * Components of an accessor as floats, normalized integers decoded by the formulas of section 3.11 (−128 and −32768
 * clamped to −1). The array may be a view of the file: do not write to it. Errors as with {@link readAccessor}.
 */
export function readFloats(doc: GltfDocument, index: number): Float32Array {
  return floatsOf(doc, readAccessor(doc, index), `/accessors/${index}`);
}

/** Stored components as floats, as {@link readFloats} gives them. FormatError GLTF_LIMIT. */
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
