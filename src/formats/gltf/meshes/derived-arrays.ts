/** Arrays derived from arrays of a file, computed once per document. */
import type { ComponentArray } from '../accessors/element-layout.ts';
import { spendBytes } from '../document/decode-budget.ts';
import { bufferId, type GltfDocument } from '../document/document.ts';

/** Builds a cache key from the memory range and type of an array. */
export function arrayKey(doc: GltfDocument, array: ComponentArray): string {
  return [array[Symbol.toStringTag], bufferId(doc, array), array.byteOffset, array.length].join(' ');
}

/**
 * Gets an array derived from others, from the cache of the document where possible: thousands of primitives may use the same accessors. Throws
 * FormatError GLTF_LIMIT when the memory limit is exceeded.
 */
export function derivedArray<T extends ArrayBufferView>(
  doc: GltfDocument,
  kind: string,
  sources: readonly ComponentArray[],
  bytes: number,
  pointer: string,
  derive: () => T,
): T {
  const key = [kind, ...sources.map((source) => arrayKey(doc, source))].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return known as T;
  spendBytes(doc, bytes, pointer);
  const array = derive();
  doc.cache.accessors.set(key, array);
  return array;
}
