/** Locates the elements of accessors in buffer views. glTF 2.0 sections 3.6.2.3 and 3.6.2.4. */
import { FormatError } from '../../../core/report/format-error.ts';
import { viewBytes } from '../document/buffers.ts';
import { bufferId, type GltfDocument } from '../document/document.ts';
import {
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  objectAt,
  pointerTo,
  required,
} from '../document/json-access.ts';
import {
  type ComponentArray,
  type ComponentType,
  copyElements,
  type ElementLayout,
  type Elements,
  elementLayout,
  isComponentType,
  viewAsArray,
} from './element-layout.ts';

/**
 * Locates elements in a buffer view. `owner` is an accessor or a part of its sparse patch. `packed` ignores the `byteStride` of the view, as sparse
 * accessors do. `views` are the bytes of known views. Throws FormatError GLTF_ACCESSOR when the elements are not inside the view, and errors of
 * `viewBytes`.
 */
export function elementsAt(
  doc: GltfDocument,
  {
    owner,
    view,
    pointer,
    views,
  }: { owner: JsonObject; view: number; pointer: string; views?: Map<number, Uint8Array> | undefined },
  count: number,
  layout: ElementLayout,
  packed = false,
): Elements {
  const bytes = views?.get(view) ?? viewBytes(doc, view);
  views?.set(view, bytes);
  const offset = integerAt(owner, 'byteOffset', pointer) ?? 0;
  const declared = packed
    ? undefined
    : integerAt(listItem(doc.json, 'bufferViews', view), 'byteStride', `/bufferViews/${view}`);
  // Some writers use 0 for packed elements.
  const stride = declared || layout.packed;
  if (stride < layout.used)
    throw accessorError(`its elements need ${layout.used} bytes, but the byteStride is ${stride}`, pointer);
  const room = bytes.length - offset - layout.used;
  // A division, because offset + stride · count may exceed the integers that a number represents exactly.
  if (room < 0 || count - 1 > Math.floor(room / stride)) {
    const reason = `${count} elements at byte offset ${offset} do not fit the ${bytes.length} bytes of buffer view ${view}`;
    throw accessorError(reason, pointer);
  }
  return { bytes, offset, stride };
}

/** The `sparse` property of an accessor (section 3.6.2.3): elements that replace others. */
interface SparsePatch {
  readonly pointer: string;
  readonly count: number;
  readonly indexType: ComponentType;
  readonly indices: Elements;
  readonly values: Elements;
}

/**
 * Reads the `sparse` property of an accessor, without the elements. Returns the patch, or null for an accessor without `sparse`. Throws FormatError
 * GLTF_ACCESSOR, GLTF_SCHEMA, GLTF_REFERENCE; errors of `viewBytes`.
 */
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
  if (count > elementCount)
    throw accessorError(`it replaces ${count} elements, but the accessor has only ${elementCount}`, pointer);
  const indices = required(objectAt(sparse, 'indices', pointer), 'indices', pointer);
  const values = required(objectAt(sparse, 'values', pointer), 'values', pointer);
  const indicesPointer = pointerTo(pointer, 'indices');
  const valuesPointer = pointerTo(pointer, 'values');
  const indexType = componentTypeAt(indices, indicesPointer);
  if (indexType !== 5121 && indexType !== 5123 && indexType !== 5125) {
    throw accessorError(`its component type is ${indexType}, expected 5121, 5123 or 5125`, indicesPointer);
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
    indices: elementsAt(doc, { owner: indices, view: indexView, pointer: indicesPointer }, count, indexLayout, true),
    values: elementsAt(doc, { owner: values, view: valueView, pointer: valuesPointer }, count, layout, true),
  };
}

/**
 * Reads the indices of a sparse patch. Returns indices of the replaced elements, ascending. Throws FormatError GLTF_ACCESSOR when the indices are
 * not strictly increasing or past the end.
 */
export function sparseIndices(patch: SparsePatch, elementCount: number): ComponentArray {
  const layout = elementLayout('SCALAR', patch.indexType);
  const indices = packedElements(patch.indices, patch.count, layout);
  for (let i = 0, last = -1; i < indices.length; i++) {
    const index = indices[i]!;
    if (index <= last)
      throw accessorError(
        `index ${i} is ${index} after ${last}, but the indices must be strictly increasing`,
        patch.pointer,
      );
    if (index >= elementCount)
      throw accessorError(`index ${i} is ${index}, but the accessor has only ${elementCount} elements`, patch.pointer);
    last = index;
  }
  return indices;
}

export function packedElements(elements: Elements, count: number, layout: ElementLayout): ComponentArray {
  const view = viewAsArray(elements, count, layout);
  if (view !== null) return view;
  const copy = new layout.arrayClass(count * layout.columns * layout.rows);
  copyElements(elements, count, layout, copy, null);
  return copy;
}

/**
 * Reads the required `componentType` of an object. Throws FormatError GLTF_ACCESSOR for an unknown number; GLTF_SCHEMA when it is missing or not an
 * integer.
 */
export function componentTypeAt(object: JsonObject, pointer: string): ComponentType {
  const value = required(integerAt(object, 'componentType', pointer), 'componentType', pointer);
  if (isComponentType(value)) return value;
  throw accessorError(`its component type is ${value}, expected 5120 to 5123, 5125 or 5126`, pointer);
}

/** Returns a cache key for the memory location of elements: array buffer, offset and stride. */
export function memoryKey(doc: GltfDocument, { bytes, offset, stride }: Elements): string {
  return [bufferId(doc, bytes), bytes.byteOffset + offset, stride].join(' ');
}

export function accessorError(reason: string, pointer: string): FormatError {
  return new FormatError('GLTF_ACCESSOR', `${pointer} cannot be read: ${reason}`, { pointer });
}
