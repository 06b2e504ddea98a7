/** Reading of accessors: glTF 2.0 sections 3.6.2 and 5.1 to 5.4. */
import { FormatError } from '../../core/report/format-error.ts';
import { viewBytes } from './buffers.ts';
import { bufferId, type GltfDocument } from './document.ts';
import { isInDracoMesh } from './draco.ts';
import {
  type AccessorType,
  ARRAYS,
  arrayInPlace,
  type ComponentArray,
  type ComponentType,
  copyElements,
  type ElementLayout,
  type Elements,
  elementLayout,
  isAccessorType,
  isComponentType,
  TYPE_WIDTH,
} from './element-layout.ts';
import { spendBytes } from './limits.ts';
import {
  booleanAt,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  objectAt,
  pointerTo,
  required,
  stringAt,
} from './schema.ts';

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
  // Floats and 32-bit integers have no normalised form (section 5.1.4): the flag is passed over.
  return { type, componentType, normalized: normalized && componentType < 5125, count, width: TYPE_WIDTH[type] };
}

/**
 * Components of an accessor as they are stored, without gaps: interleaved, sparse and empty accessors too. The array
 * may be a view of the file and is kept for the next reader: do not write to it. FormatError GLTF_ACCESSOR (data that
 * does not fit), GLTF_LIMIT (more than {@link GltfLimits}), and those of `viewBytes`.
 */
export function readAccessor(doc: GltfDocument, index: number): AccessorData {
  const info = accessorInfo(doc, index);
  const pointer = `/accessors/${index}`;
  const accessor = listItem(doc.json, 'accessors', index);
  const layout = elementLayout(info.type, info.componentType);
  const sparse = objectAt(accessor, 'sparse', pointer);
  const view = indexAt(accessor, 'bufferView', pointer, doc.json, 'bufferViews');
  const base = view === undefined ? null : elementsAt(doc, accessor, view, pointer, info.count, layout);
  if (base !== null && sparse === undefined) {
    const inPlace = arrayInPlace(base, info.count, layout);
    if (inPlace !== null) return { ...info, array: inPlace };
  }
  if (base === null && isInDracoMesh(doc, index)) {
    const message = `${pointer} is inside a mesh compressed with KHR_draco_mesh_compression, which is not decoded`;
    throw new FormatError('GLTF_COMPRESSION', message, { pointer });
  }
  const patch = sparse === undefined ? null : sparsePatch(doc, sparse, `${pointer}/sparse`, info.count, layout);
  const places = [base, patch?.indices, patch?.values].map((elements) => (elements ? placeOf(doc, elements) : '-'));
  const key = [info.type, info.componentType, info.count, patch?.count, ...places].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return { ...info, array: known as ComponentArray };

  spendBytes(doc, info.count * info.width * layout.componentSize, pointer);
  const array = new ARRAYS[info.componentType](info.count * info.width);
  if (base !== null) copyElements(base, info.count, layout, array, null);
  if (patch !== null) copyElements(patch.values, patch.count, layout, array, sparseIndices(patch, info.count));
  doc.cache.accessors.set(key, array);
  return { ...info, array };
}

/**
 * Components of an accessor as floats, normalised integers decoded by the formulas of section 3.11 (−128 and −32768
 * clamped to −1). The array may be a view of the file: do not write to it. Errors as with {@link readAccessor}.
 */
export function readFloats(doc: GltfDocument, index: number): Float32Array {
  const { array, normalized, componentType } = readAccessor(doc, index);
  if (array instanceof Float32Array) return array;
  const key = [normalized, componentType, array.length, bufferId(doc, array), array.byteOffset].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return known as Float32Array;
  spendBytes(doc, array.length * 4, `/accessors/${index}`);
  const floats = Float32Array.from(array);
  if (normalized) {
    const top = componentType === 5120 ? 127 : componentType === 5121 ? 255 : componentType === 5122 ? 32767 : 65535;
    for (let i = 0; i < floats.length; i++) floats[i] = Math.max(array[i]! / top, -1);
  }
  doc.cache.accessors.set(key, floats);
  return floats;
}

function elementsAt(
  doc: GltfDocument,
  owner: JsonObject,
  view: number,
  pointer: string,
  count: number,
  layout: ElementLayout,
  packed = false,
): Elements {
  const bytes = viewBytes(doc, view);
  const offset = integerAt(owner, 'byteOffset', pointer) ?? 0;
  const named = packed
    ? undefined
    : integerAt(listItem(doc.json, 'bufferViews', view), 'byteStride', `/bufferViews/${view}`);
  // 0 is what some writers put for "packed".
  const stride = named || layout.packed;
  if (stride < layout.used)
    throw accessorError(`its elements take ${layout.used} bytes, its stride is ${stride}`, pointer);
  const room = bytes.length - offset - layout.used;
  // By division: offset + stride · count may be past what a number holds exactly.
  if (room < 0 || count - 1 > Math.floor(room / stride)) {
    const reason = `${count} elements from byte ${offset} on do not fit into the ${bytes.length} bytes of view ${view}`;
    throw accessorError(reason, pointer);
  }
  return { bytes, offset, stride };
}

/** Replacement of some elements: section 3.6.2.3. */
interface SparsePatch {
  readonly pointer: string;
  readonly count: number;
  readonly indexType: ComponentType;
  readonly indices: Elements;
  readonly values: Elements;
}

function sparsePatch(
  doc: GltfDocument,
  sparse: JsonObject,
  pointer: string,
  elementCount: number,
  layout: ElementLayout,
): SparsePatch {
  const count = required(integerAt(sparse, 'count', pointer, 1), 'count', pointer);
  if (count > elementCount) throw accessorError(`${count} of ${elementCount} elements are replaced`, pointer);
  const indices = required(objectAt(sparse, 'indices', pointer), 'indices', pointer);
  const values = required(objectAt(sparse, 'values', pointer), 'values', pointer);
  const indicesPointer = pointerTo(pointer, 'indices');
  const valuesPointer = pointerTo(pointer, 'values');
  const indexType = componentTypeAt(indices, indicesPointer);
  if (indexType !== 5121 && indexType !== 5123 && indexType !== 5125) {
    throw accessorError(`indices have component type ${indexType}, it must be 5121, 5123 or 5125`, indicesPointer);
  }
  const indexView = required(
    indexAt(indices, 'bufferView', indicesPointer, doc.json, 'bufferViews'),
    'bufferView',
    indicesPointer,
  );
  const valueView = required(
    indexAt(values, 'bufferView', valuesPointer, doc.json, 'bufferViews'),
    'bufferView',
    valuesPointer,
  );
  const indexLayout = elementLayout('SCALAR', indexType);
  return {
    pointer: indicesPointer,
    count,
    indexType,
    indices: elementsAt(doc, indices, indexView, indicesPointer, count, indexLayout, true),
    values: elementsAt(doc, values, valueView, valuesPointer, count, layout, true),
  };
}

function sparseIndices(patch: SparsePatch, elementCount: number): ComponentArray {
  const layout = elementLayout('SCALAR', patch.indexType);
  let indices = arrayInPlace(patch.indices, patch.count, layout);
  if (indices === null) {
    indices = new ARRAYS[patch.indexType](patch.count);
    copyElements(patch.indices, patch.count, layout, indices, null);
  }
  for (let i = 0, last = -1; i < indices.length; i++) {
    const index = indices[i]!;
    if (index <= last) throw accessorError(`index ${i} is ${index} and does not rise above ${last}`, patch.pointer);
    if (index >= elementCount) throw accessorError(`index ${i} is ${index} of ${elementCount} elements`, patch.pointer);
    last = index;
  }
  return indices;
}

function componentTypeAt(object: JsonObject, pointer: string): ComponentType {
  const value = required(integerAt(object, 'componentType', pointer), 'componentType', pointer);
  if (isComponentType(value)) return value;
  throw accessorError(`its component type ${value} is none of glTF`, pointer);
}

/** Names the place of elements in memory, for the cache. */
function placeOf(doc: GltfDocument, { bytes, offset, stride }: Elements): string {
  return [bufferId(doc, bytes), bytes.byteOffset + offset, stride].join(' ');
}

function accessorError(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_ACCESSOR', `${pointer} cannot be read: ${reason}`, { pointer });
}
