/** Deduplicates the accessors of a new document: equal data in the same form is stored once. */
import type { GltfDocument } from '../document/document.ts';
import { ensureList, listItem } from '../document/json-access.ts';
import { type AccessorLayout, appendAccessor, appendView, componentTypeOf } from './append-accessor.ts';
import { type ComponentArray, TYPE_WIDTH } from './element-layout.ts';

/** `bufferView.target` of vertex attributes (section 3.6.2.3). */
export const ARRAY_BUFFER = 34962;
/** `bufferView.target` of indices. */
export const ELEMENT_ARRAY_BUFFER = 34963;

type Words = Float32Array | Uint8Array | Uint16Array | Uint32Array;

/** Accessors and buffer views of a document, for deduplication. */
export interface AccessorPool {
  readonly doc: GltfDocument;
  /** Arrays by storage form and hash of their content. */
  readonly stored: Map<string, { readonly array: Words; readonly index: number }[]>;
  /** Sparse accessors, by their JSON. */
  readonly described: Map<string, number>;
}

/** Content of a sparse accessor (section 3.6.2.3): all other elements are zero. */
interface SparseElements {
  readonly type: 'VEC3';
  readonly count: number;
  /** Indices of the nonzero elements, ascending; may be empty. */
  readonly elements: Uint32Array;
  readonly values: Float32Array;
  readonly minMax: boolean;
}

export function createAccessorPool(doc: GltfDocument): AccessorPool {
  return { doc, stored: new Map(), described: new Map() };
}

/** FNV-1a hash of the bits of the elements. */
function hashOf(array: Words): number {
  const words = array instanceof Float32Array ? bitsOf(array) : array;
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
  return hash;
}

function bitsOf(array: Float32Array): Uint32Array {
  return new Uint32Array(array.buffer, array.byteOffset, array.length);
}

function isSame(a: Words, b: Words): boolean {
  if (a.length !== b.length) return false;
  if (a instanceof Float32Array && b instanceof Float32Array) return isSame(bitsOf(a), bitsOf(b));
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns the index of equal content in the same form. New content is stored by `store`. */
function pooled(pool: AccessorPool, form: string, array: Words, store: () => number): number {
  const key = `${form} ${array.length} ${hashOf(array)}`;
  const alike = pool.stored.get(key) ?? [];
  pool.stored.set(key, alike);
  const same = alike.find((known) => isSame(known.array, array));
  if (same !== undefined) return same.index;
  const index = store();
  alike.push({ array, index });
  return index;
}

/** Returns the accessor of an array. A new array gets its own buffer view. */
export function poolAccessor(
  pool: AccessorPool,
  array: ComponentArray & Words,
  layout: AccessorLayout,
  target: 0 | typeof ARRAY_BUFFER | typeof ELEMENT_ARRAY_BUFFER,
): number {
  const { type, normalized = false, minMax = false } = layout;
  return pooled(pool, `${componentTypeOf(array)} ${type} ${normalized} ${minMax} ${target}`, array, () => {
    const accessor = appendAccessor(pool.doc, array, layout);
    if (target !== 0) {
      const { bufferView } = listItem(pool.doc.json, 'accessors', accessor);
      listItem(pool.doc.json, 'bufferViews', bufferView as number)['target'] = target;
    }
    return accessor;
  });
}

/** Returns the buffer view of bytes without an accessor, such as an image. `bytes` are not copied: do not change them afterwards. */
export function poolBytes(pool: AccessorPool, bytes: Uint8Array): number {
  return pooled(pool, 'bytes', bytes, () => appendView(pool.doc, bytes));
}

/** Buffer view of sparse indices or values, which must have neither target nor stride. */
function poolSparseView(pool: AccessorPool, array: Words): number {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return pooled(pool, 'sparse', bytes, () => appendView(pool.doc, bytes.slice()));
}

/** Converts indices below `count` to the smallest sufficient integer type. */
function smallestIndices(indices: Uint32Array, count: number): Uint8Array | Uint16Array | Uint32Array {
  if (count <= 0x100) return Uint8Array.from(indices);
  return count <= 0x10000 ? Uint16Array.from(indices) : indices;
}

/** Returns the binary size of a sparse VEC3 accessor: bytes of indices and values. */
export function sparseSize(elements: number, count: number): number {
  return elements * ((count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4) + 12);
}

export function poolSparseAccessor(pool: AccessorPool, content: SparseElements): number {
  const { type, count, minMax } = content;
  // Programs such as UnityGLTF reject accessors of zeros without any data, which glTF allows.
  const isZero = content.elements.length === 0;
  const elements = isZero ? Uint32Array.of(0) : content.elements;
  const values = isZero ? new Float32Array(TYPE_WIDTH[type]) : content.values;
  const indices = smallestIndices(elements, count);
  const json = {
    componentType: 5126,
    count,
    type,
    ...(minMax ? boundsOf(content) : {}),
    sparse: {
      count: elements.length,
      indices: { bufferView: poolSparseView(pool, indices), componentType: componentTypeOf(indices) },
      values: { bufferView: poolSparseView(pool, values) },
    },
  };
  const key = JSON.stringify(json);
  const known = pool.described.get(key);
  if (known !== undefined) return known;
  const index = ensureList(pool.doc.json, 'accessors').push(json) - 1;
  pool.described.set(key, index);
  return index;
}

/** Minimum and maximum of the values, including the zeros if there are any. */
function boundsOf({ type, count, elements, values }: SparseElements): { min: number[]; max: number[] } {
  const width = TYPE_WIDTH[type];
  const hasZeros = elements.length < count;
  const min: number[] = new Array(width).fill(hasZeros ? 0 : Number.POSITIVE_INFINITY);
  const max: number[] = new Array(width).fill(hasZeros ? 0 : Number.NEGATIVE_INFINITY);
  for (let i = 0; i < values.length; i++) {
    min[i % width] = Math.min(min[i % width], values[i]);
    max[i % width] = Math.max(max[i % width], values[i]);
  }
  return { min, max };
}
