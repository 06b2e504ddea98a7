/** Accessors: alignment, fit in their views, stored values. glTF 2.0 sections 3.6.2, 5.1 to 5.4. */
import { FormatError } from '../../../../core/report/format-error.ts';
import { type AccessorData, readAccessor } from '../../accessors/accessor.ts';
import { elementLayout } from '../../accessors/element-layout.ts';
import { packedElements, sparsePatch } from '../../accessors/stored-elements.ts';
import { isObject, type JsonObject, memberAt } from '../../document/json-access.ts';
import {
  type AccessorShape,
  accessorShape,
  type CoreCheck,
  find,
  isNatural,
  itemAt,
  itemsAt,
  objectsOf,
} from './findings.ts';

/**
 * Checks accessors without their data, then their values where they can be read.
 *
 * @param check The running check.
 */
export function checkAccessors(check: CoreCheck): void {
  for (const [i, accessor] of objectsOf(check, 'accessors')) {
    const shape = accessorShape(check, i);
    if (shape === undefined) continue;
    const before = check.findings.length;
    checkLayout(check, accessor, `/accessors/${i}`, shape);
    checkSparse(check, accessor, `/accessors/${i}/sparse`, shape);
    if (check.findings.length === before) checkData(check, i, shape);
  }
}

/** Alignment and fit of elements in a view; `owner` has `bufferView` and `byteOffset`. */
function checkFit(
  check: CoreCheck,
  owner: JsonObject,
  pointer: string,
  size: { readonly component: number; readonly element: number; readonly packed: number; readonly count: number },
  isPacked: boolean,
): void {
  const view = itemAt(check, 'bufferViews', memberAt(owner, 'bufferView'));
  const offset = memberAt(owner, 'byteOffset') ?? 0;
  if (view === undefined || !isNatural(offset)) return;
  const [start = 0, length] = ['byteOffset', 'byteLength'].map((key) => memberAt(view, key));
  if (isNatural(start) && (start + offset) % size.component !== 0) {
    const message = `The data starts at byte ${start + offset}, which is not a multiple of ${size.component}.`;
    find(check, 'ACCESSOR_TOTAL_OFFSET_ALIGNMENT', pointer, message);
  }
  const declared = isPacked ? undefined : memberAt(view, 'byteStride');
  if (isNatural(declared) && declared > 0 && declared < size.element) {
    find(
      check,
      'ACCESSOR_SMALL_BYTESTRIDE',
      pointer,
      `The byteStride is ${declared}, but an element has ${size.element} bytes.`,
    );
    return;
  }
  const stride = isNatural(declared) && declared > 0 ? declared : size.packed;
  const end = offset + stride * (size.count - 1) + size.element;
  if (!isNatural(length) || end <= length) return;
  const where = offset >= length ? `${pointer}/byteOffset` : pointer;
  find(check, 'ACCESSOR_TOO_LONG', where, `The elements end at byte ${end} of a view of ${length} bytes.`);
}

function checkLayout(check: CoreCheck, accessor: JsonObject, pointer: string, shape: AccessorShape): void {
  const { layout, componentType, count } = shape;
  if (memberAt(accessor, 'normalized') === true && componentType >= 5125) {
    find(
      check,
      'ACCESSOR_NORMALIZED_INVALID',
      `${pointer}/normalized`,
      'Floats and 32-bit integers cannot be normalized.',
    );
  }
  const offset = memberAt(accessor, 'byteOffset') ?? 0;
  if (!isNatural(offset)) return;
  if (offset % layout.componentSize !== 0) {
    const message = `The byteOffset ${offset} is not a multiple of ${layout.componentSize}.`;
    find(check, 'ACCESSOR_OFFSET_ALIGNMENT', `${pointer}/byteOffset`, message);
  }
  if (layout.columns > 1 && offset % 4 !== 0) {
    find(
      check,
      'ACCESSOR_MATRIX_ALIGNMENT',
      `${pointer}/byteOffset`,
      `Matrices start at multiples of 4 bytes, not at ${offset}.`,
    );
  }
  const size = { component: layout.componentSize, element: layout.used, packed: layout.packed, count };
  checkFit(check, accessor, pointer, size, false);
}

function checkSparse(check: CoreCheck, accessor: JsonObject, pointer: string, { layout, count }: AccessorShape): void {
  const sparse = memberAt(accessor, 'sparse');
  if (!isObject(sparse)) return;
  const replaced = memberAt(sparse, 'count');
  if (!isNatural(replaced)) return;
  if (replaced > count) {
    const message = `The accessor has ${count} elements, but ${replaced} are replaced.`;
    find(check, 'ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE', `${pointer}/count`, message);
  }
  for (const key of ['indices', 'values']) {
    const part = memberAt(sparse, key);
    if (!isObject(part)) continue;
    const view = itemAt(check, 'bufferViews', memberAt(part, 'bufferView'));
    if (view !== undefined && memberAt(view, 'byteStride') !== undefined) {
      const message = 'The view of sparse data has a byteStride, which only views of vertex attributes may have.';
      find(check, 'BUFFER_VIEW_INVALID_BYTE_STRIDE', `${pointer}/${key}/bufferView`, message);
    }
    const indexSize = { 5121: 1, 5123: 2, 5125: 4 }[Number(memberAt(part, 'componentType'))];
    const component = key === 'values' ? layout.componentSize : indexSize;
    if (component === undefined) continue;
    const [element, packed] = key === 'values' ? [layout.used, layout.packed] : [component, component];
    checkFit(check, part, `${pointer}/${key}`, { component, element, packed, count: replaced }, true);
  }
}

function checkData(check: CoreCheck, index: number, shape: AccessorShape): void {
  const pointer = `/accessors/${index}`;
  if (!checkSparseIndices(check, pointer, shape)) return;
  const data = readOrNull(() => readAccessor(check.doc, index));
  if (data === null) return;
  const { array, width } = data;
  const isStored =
    memberAt(shape.accessor, 'bufferView') !== undefined || memberAt(shape.accessor, 'sparse') !== undefined;
  if (data.componentType === 5126) {
    const wrong = array.findIndex((value: number) => !Number.isFinite(value));
    if (wrong >= 0) {
      const message = `Component ${wrong} is ${array[wrong]}; numbers must be finite.`;
      find(check, 'ACCESSOR_INVALID_FLOAT', pointer, message);
      return;
    }
  }
  if (isStored)
    for (const key of ['min', 'max'] as const) checkBound(check, shape.accessor, pointer, key, array, width);
}

/** Runs a reader; null where the data cannot be read, which is reported for its buffer or view. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/** Order and range of the indices of a sparse accessor; false for indices that are invalid. */
function checkSparseIndices(check: CoreCheck, pointer: string, { accessor, count, layout }: AccessorShape): boolean {
  const indices = readOrNull(() => {
    const patch = sparsePatch(check.doc, accessor, pointer, count, layout);
    return patch === null ? null : packedElements(patch.indices, patch.count, elementLayout('SCALAR', patch.indexType));
  });
  if (indices === null) return true;
  const stuck = indices.findIndex((index: number, i: number) => i > 0 && index <= indices[i - 1]);
  const outside = indices.findIndex((index: number) => index >= count);
  if (stuck >= 0) {
    const message = `Sparse index ${stuck} is ${indices[stuck]} after ${indices[stuck - 1]}; the indices must increase.`;
    find(check, 'ACCESSOR_SPARSE_INDICES_NON_INCREASING', `${pointer}/sparse`, message);
  }
  if (outside >= 0) {
    const message = `Sparse index ${outside} is ${indices[outside]}, but the accessor has only ${count} elements.`;
    find(check, 'ACCESSOR_SPARSE_INDEX_OOB', `${pointer}/sparse`, message);
  }
  return stuck < 0 && outside < 0;
}

function checkBound(
  check: CoreCheck,
  accessor: JsonObject,
  accessorPointer: string,
  key: 'min' | 'max',
  array: AccessorData['array'],
  width: number,
): void {
  const bounds = itemsAt(accessor, key);
  if (bounds.length === 0) return;
  const pointer = `${accessorPointer}/${key}`;
  if (bounds.length !== width) {
    find(check, 'ARRAY_LENGTH_NOT_IN_LIST', pointer, `The array has ${bounds.length} numbers, expected ${width}.`);
    return;
  }
  bounds.forEach((bound, component) => {
    if (typeof bound !== 'number') return;
    // Bounds of floats are compared after rounding to float32 (section 3.6.2.5).
    const declared = array instanceof Float32Array ? Math.fround(bound) : bound;
    let actual = array[component];
    let outside = 0;
    for (let at = component; at < array.length; at += width) {
      const value = array[at];
      if (key === 'min' ? value < actual : value > actual) actual = value;
      if (key === 'min' ? value < declared : value > declared) outside++;
    }
    if (actual === declared) return;
    const what = key === 'min' ? 'minimum' : 'maximum';
    const mismatch = key === 'min' ? 'ACCESSOR_MIN_MISMATCH' : 'ACCESSOR_MAX_MISMATCH';
    find(
      check,
      mismatch,
      `${pointer}/${component}`,
      `The declared ${what} is ${bound}, but the actual one is ${actual}.`,
    );
    if (outside === 0) return;
    const code = key === 'min' ? 'ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND' : 'ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND';
    find(check, code, `${pointer}/${component}`, `${outside} elements are outside the declared ${what} ${bound}.`);
  });
}
