/** Accessors of a new document: what has the same content in the same form is stored once, however many primitives use it. */
import { type AccessorLayout, appendAccessor, appendView, componentTypeOf } from './append.ts';
import type { GltfDocument } from './document.ts';
import { type ComponentArray, TYPE_WIDTH } from './element-layout.ts';
import { growingList, listItem } from './schema.ts';

/** What a buffer view is for (section 3.6.2.3, `bufferView.target`). */
export const ARRAY_BUFFER = 34962;
export const ELEMENT_ARRAY_BUFFER = 34963;

type Words = Float32Array | Uint8Array | Uint16Array | Uint32Array;

interface Stored {
  readonly array: Words;
  readonly index: number;
}

/** What was stored already, by its form and a hash of its content. */
export interface AccessorPool {
  readonly doc: GltfDocument;
  readonly stored: Map<string, Stored[]>;
  /** Accessors that are not one array, by their JSON. */
  readonly described: Map<string, number>;
}

/** Content of an accessor that is zero but for some elements (section 3.6.2.3). */
export interface SparseElements {
  readonly type: 'VEC3';
  /** Elements of the accessor. */
  readonly count: number;
  /** Those that are not zero, rising; may be none. */
  readonly elements: Uint32Array;
  readonly values: Float32Array;
  readonly minMax: boolean;
}

export function accessorPool(doc: GltfDocument): AccessorPool {
  return { doc, stored: new Map(), described: new Map() };
}

/** FNV-1a over the bits of the elements. */
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

/** The index that the same content in the same form has; `store` gives one to what is new. */
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

/**
 * The accessor of an array, in a buffer view of its own; `target` 0 for what is no vertex data and no index. The array is copied.
 * RangeError as with `appendAccessor`.
 */
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

/** The buffer view of bytes that are no accessor: an image. They are kept, not copied. */
export function poolBytes(pool: AccessorPool, bytes: Uint8Array): number {
  return pooled(pool, 'bytes', bytes, () => appendView(pool.doc, bytes));
}

/** Numbers of a sparse accessor; views of these have neither target nor stride. */
function poolSparseView(pool: AccessorPool, array: Words): number {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return pooled(pool, 'sparse', bytes, () => appendView(pool.doc, bytes.slice()));
}

/** Rising indices below `count` as the smallest integers that hold them. */
function smallestIndices(indices: Uint32Array, count: number): Uint8Array | Uint16Array | Uint32Array {
  if (count <= 0x100) return Uint8Array.from(indices);
  return count <= 0x10000 ? Uint16Array.from(indices) : indices;
}

/** Bytes of a sparse accessor of this many elements of VEC3, without its JSON. */
export function sparseSize(elements: number, count: number): number {
  return elements * ((count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 4) + 12);
}

/** The accessor of elements that are zero but for some; one of zeros alone has no bytes at all. */
export function poolSparseAccessor(pool: AccessorPool, content: SparseElements): number {
  const { type, count, elements, values, minMax } = content;
  const json: Record<string, unknown> = { componentType: 5126, count, type };
  if (minMax) Object.assign(json, boundsOf(content));
  if (elements.length > 0) {
    const indices = smallestIndices(elements, count);
    json['sparse'] = {
      count: elements.length,
      indices: { bufferView: poolSparseView(pool, indices), componentType: componentTypeOf(indices) },
      values: { bufferView: poolSparseView(pool, values) },
    };
  }
  return poolDescribed(pool, json);
}

/** The accessor of zeros: no bytes (section 3.6.2.1). */
export function poolZeros(pool: AccessorPool, type: 'VEC2' | 'VEC3', count: number): number {
  return poolDescribed(pool, { componentType: 5126, count, type });
}

function poolDescribed(pool: AccessorPool, json: Record<string, unknown>): number {
  const key = JSON.stringify(json);
  const known = pool.described.get(key);
  if (known !== undefined) return known;
  const index = growingList(pool.doc.json, 'accessors').push(json) - 1;
  pool.described.set(key, index);
  return index;
}

/** Bounds of the values, and of the zeros where there are any. */
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
