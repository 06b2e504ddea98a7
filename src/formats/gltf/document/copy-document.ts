import type { GltfCache, GltfDocument, GrowingBuffer } from './document.ts';
import type { JsonObject } from './json-access.ts';

/** Copies arrays and objects deeply. Strings, among them data URIs, are shared. */
function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = value.slice();
    for (let i = 0; i < list.length; i++) if (typeof list[i] === 'object') list[i] = copyJson(list[i]);
    return list;
  }
  // A spread keeps a member named __proto__, which an assignment to a new object would lose.
  const object: JsonObject = { ...(value as JsonObject) };
  for (const key of Object.keys(object)) if (typeof object[key] === 'object') object[key] = copyJson(object[key]);
  return object;
}

function copyGrowing(growing: GrowingBuffer | null): GrowingBuffer | null {
  return growing === null ? null : { ...growing, chunks: new Map(growing.chunks) };
}

/** Copies the cache: already decoded data is shared, later decoded data is not. */
function copyCache(cache: GltfCache): GltfCache {
  return {
    ...cache,
    dataUris: new Map(cache.dataUris),
    decompressed: new Map(cache.decompressed),
    accessors: new Map(cache.accessors),
    dracoMeshes: new Map(cache.dracoMeshes),
  };
}

/**
 * Copies a document. The copy has its own JSON and appends to its own buffer. It shares the source text, the binary data and the already decoded data,
 * so that unedited parts serialize to the same bytes as those of the original. `doc` stays unchanged, whatever happens to the copy.
 */
export function copyDocument(doc: GltfDocument): GltfDocument {
  return {
    ...doc,
    json: copyJson(doc.json) as JsonObject,
    resources: new Map(doc.resources),
    growing: copyGrowing(doc.growing),
    issues: [...doc.issues],
    cache: copyCache(doc.cache),
  };
}
