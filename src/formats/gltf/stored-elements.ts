/** Elements of accessors where they are stored: glTF 2.0 sections 3.6.2.3 and 3.6.2.4. */
import { FormatError } from '../../core/report/format-error.ts';
import { viewBytes } from './buffers.ts';
import { bufferId, type GltfDocument } from './document.ts';
import {
  arrayInPlace,
  type ComponentArray,
  type ComponentType,
  copyElements,
  type ElementLayout,
  type Elements,
  elementLayout,
  isComponentType,
} from './element-layout.ts';
import { indexAt, integerAt, type JsonObject, listItem, objectAt, pointerTo, required } from './schema.ts';

/** Elements in a view, named by an accessor or by a part of a sparse one. FormatError GLTF_ACCESSOR when they do not fit. */
export function elementsAt(
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
export interface SparsePatch {
  readonly pointer: string;
  readonly count: number;
  readonly indexType: ComponentType;
  readonly indices: Elements;
  readonly values: Elements;
}

/** The `sparse` of an accessor; null where it has none. FormatError GLTF_ACCESSOR, GLTF_SCHEMA, GLTF_REFERENCE. */
export function sparsePatch(
  doc: GltfDocument,
  accessor: JsonObject,
  accessorPointer: string,
  elementCount: number,
  layout: ElementLayout,
): SparsePatch | null {
  const sparse = objectAt(accessor, 'sparse', accessorPointer);
  if (sparse === undefined) return null;
  const pointer = `${accessorPointer}/sparse`;
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

/** The elements that a patch replaces, rising. FormatError GLTF_ACCESSOR when they do not rise or are past the end. */
export function sparseIndices(patch: SparsePatch, elementCount: number): ComponentArray {
  const layout = elementLayout('SCALAR', patch.indexType);
  const indices = packedElements(patch.indices, patch.count, layout);
  for (let i = 0, last = -1; i < indices.length; i++) {
    const index = indices[i]!;
    if (index <= last) throw accessorError(`index ${i} is ${index} and does not rise above ${last}`, patch.pointer);
    if (index >= elementCount) throw accessorError(`index ${i} is ${index} of ${elementCount} elements`, patch.pointer);
    last = index;
  }
  return indices;
}

/** Components of elements without gaps: a view where they stand so, else a copy. */
export function packedElements(elements: Elements, count: number, layout: ElementLayout): ComponentArray {
  const inPlace = arrayInPlace(elements, count, layout);
  if (inPlace !== null) return inPlace;
  const copy = new layout.arrayClass(count * layout.columns * layout.rows);
  copyElements(elements, count, layout, copy, null);
  return copy;
}

/** FormatError GLTF_SCHEMA when it is missing or no integer, GLTF_ACCESSOR when it is none of glTF. */
export function componentTypeAt(object: JsonObject, pointer: string): ComponentType {
  const value = required(integerAt(object, 'componentType', pointer), 'componentType', pointer);
  if (isComponentType(value)) return value;
  throw accessorError(`its component type ${value} is none of glTF`, pointer);
}

/** Names the place of elements in memory, for the cache. */
export function placeOf(doc: GltfDocument, { bytes, offset, stride }: Elements): string {
  return [bufferId(doc, bytes), bytes.byteOffset + offset, stride].join(' ');
}

export function accessorError(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_ACCESSOR', `${pointer} cannot be read: ${reason}`, { pointer });
}
