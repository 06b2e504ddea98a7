/** Arrays that are made of arrays of a file, once a document however often they are asked for. */
import { bufferId, type GltfDocument } from '../document.ts';
import type { ComponentArray } from '../element-layout.ts';
import { spendBytes } from '../limits.ts';

/** Names an array by its place in memory and its type. */
export function keyOfArray(doc: GltfDocument, array: ComponentArray): string {
  return [array[Symbol.toStringTag], bufferId(doc, array), array.byteOffset, array.length].join(' ');
}

/**
 * The array of a kind that `make` makes of `sources`, kept for the next who asks: primitives may share accessors by the
 * thousand. `bytes` is what it takes. FormatError GLTF_LIMIT when that is too much.
 */
export function madeArray<T extends ArrayBufferView>(
  doc: GltfDocument,
  kind: string,
  sources: readonly ComponentArray[],
  bytes: number,
  pointer: string,
  make: () => T,
): T {
  const key = [kind, ...sources.map((source) => keyOfArray(doc, source))].join();
  const known = doc.cache.accessors.get(key);
  if (known !== undefined) return known as T;
  spendBytes(doc, bytes, pointer);
  const made = make();
  doc.cache.accessors.set(key, made);
  return made;
}
