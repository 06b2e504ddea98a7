import { growingParts } from './buffers.ts';
import type { GltfDocument, GrowingBuffer } from './document.ts';
import { serializeGlb } from './glb.ts';
import { BIN_CHUNK, JSON_CHUNK } from './glb-chunks.ts';
import { serializeGlb3 } from './glb3.ts';
import { arrayAt, isObject, type JsonObject, listItem } from './json-access.ts';
import { patchJsonText } from './patch-json-text.ts';
import { serializeJson } from './serialize-json.ts';
import { isDataUri, resolveUri, serializeDataUri, uriOfPath } from './uri.ts';

/** An external file to write next to a .gltf. */
interface SerializedResource {
  /** Path relative to the folder of the asset, not percent-encoded. */
  readonly path: string;
  /** Content in pieces, to write one after the other. */
  readonly parts: readonly Uint8Array[];
}

/** A serialized document. */
export interface SerializedGltf {
  /** The file in pieces, to write one after the other (`writev`) or to join with `concatParts`. */
  readonly parts: readonly Uint8Array[];
  /** New external files of a .gltf. Files that the document already references are not included: see `listResources`. */
  readonly resources: readonly SerializedResource[];
}

/** Options of {@link serializeGltf}. */
interface SerializeGltfOptions {
  /**
   * File name for appended data of a .gltf, not percent-encoded. A number is added when the document already references
   * a file of this name. Without a name the data is embedded as a data URI.
   */
  readonly binName?: string;
}

/**
 * Serializes a document. Without edits the result is the original file, byte for byte. Otherwise every unedited JSON
 * value keeps its text, the original binary data is a prefix of the new data, and unknown chunks and trailing bytes are
 * kept. The document is not changed.
 *
 * @param doc Document.
 * @param options Name of the external file for appended data.
 * @returns The file, and new external files of a .gltf.
 * @throws FormatError GLTF_LIMIT for a GLB larger than 4 GiB.
 * @throws TypeError For values in `doc.json` that JSON cannot express.
 * @example
 * const doc = parseGltf(await readFile('robot.glb'));
 * doc.json.nodes[0].name = 'root';
 * await writeFile('renamed.glb', concatParts(serializeGltf(doc).parts));
 */
export function serializeGltf(doc: GltfDocument, options: SerializeGltfOptions = {}): SerializedGltf {
  const { json, resources } = withBufferUri(doc, options.binName);
  const { source, container } = doc;
  const text = source === null ? serializeJson(json) : patchJsonText(source.text, json);
  if (source !== null && text === source.text && container === source.container && doc.growing === null) {
    return { parts: [source.bytes], resources };
  }
  const utf8 = new TextEncoder();
  if (container === 'gltf') {
    return { parts: [utf8.encode((source?.bom ? '\ufeff' : '') + text)], resources };
  }
  // The serializers add new padding.
  const jsonBytes = utf8.encode(text.trimEnd());
  if (doc.chunks !== null) return { parts: chunkParts(doc, jsonBytes), resources };
  const parts = serializeGlb({
    json: jsonBytes,
    bin: binParts(doc),
    others: source?.glb?.others ?? [],
    trailing: source?.glb?.trailing ?? new Uint8Array(0),
  });
  return { parts, resources };
}

/** Parts of a GLB of version 3: all chunks keep their index and bytes, except for the JSON and the buffer with appended data. */
function chunkParts(doc: GltfDocument, json: Uint8Array): Uint8Array[] {
  const chunks = doc.chunks!.map(({ type, encoding, bytes }) => ({ type, encoding, parts: [bytes] }));
  const document = chunks.findIndex(({ type }) => type === JSON_CHUNK);
  chunks[document] = { ...chunks[document], parts: [json] };
  if (doc.growing !== null && isBin(doc, doc.growing)) {
    const index = listItem(doc.json, 'buffers', doc.growing.buffer)['chunk'];
    chunks[(index as number | undefined) ?? 1] = { type: BIN_CHUNK, encoding: 0, parts: growingParts(doc.growing) };
  }
  return serializeGlb3(chunks, doc.source?.glb?.trailing ?? new Uint8Array(0));
}

function binParts(doc: GltfDocument): Uint8Array[] | null {
  if (doc.growing !== null && isBin(doc, doc.growing)) return growingParts(doc.growing);
  return doc.bin === null ? null : [doc.bin];
}

/** Whether a buffer with appended data is a chunk of the GLB. */
function isBin(doc: GltfDocument, growing: GrowingBuffer): boolean {
  if (doc.container !== 'glb') return false;
  const buffer = listItem(doc.json, 'buffers', growing.buffer);
  if (Object.hasOwn(buffer, 'uri')) return false;
  return growing.buffer === 0 || (doc.chunks !== null && Object.hasOwn(buffer, 'chunk'));
}

/** Sets the uri of the buffer with appended data, unless it is in the BIN chunk: an external file or a data URI. */
function withBufferUri(
  doc: GltfDocument,
  binName: string | undefined,
): { json: JsonObject; resources: SerializedResource[] } {
  const { growing, json } = doc;
  if (growing === null || isBin(doc, growing)) return { json, resources: [] };
  const parts = growingParts(growing);
  const buffer = listItem(json, 'buffers', growing.buffer);
  const resources: SerializedResource[] = [];
  let uri = typeof buffer['uri'] === 'string' ? buffer['uri'] : undefined;
  if (doc.container === 'glb') {
    uri = serializeDataUri('application/octet-stream', parts);
  } else if (uri !== undefined) {
    resources.push({ path: resolveUri(uri, `/buffers/${growing.buffer}/uri`), parts });
  } else if (binName !== undefined) {
    const path = uniqueFileName(doc, binName);
    uri = uriOfPath(path);
    resources.push({ path, parts });
  } else {
    uri = serializeDataUri('application/octet-stream', parts);
  }
  const buffers = arrayAt(json, 'buffers', '').slice();
  buffers[growing.buffer] = { ...buffer, uri };
  return { json: { ...json, buffers }, resources };
}

/**
 * Adds a number before the extension of a file name when the document already references a file of this name. Throws RangeError when `name` is not
 * the path of a file inside the folder of the asset.
 */
export function uniqueFileName(doc: GltfDocument, name: string): string {
  if (pathOf(uriOfPath(name)) !== name)
    throw new RangeError(
      `${JSON.stringify(name)} is not a file name; expected a relative path inside the folder of the asset`,
    );
  const taken = new Set<string>();
  for (const list of ['buffers', 'images'] as const) {
    for (const item of arrayAt(doc.json, list, '')) {
      const uri = isObject(item) ? item['uri'] : undefined;
      if (typeof uri === 'string' && !isDataUri(uri)) taken.add((pathOf(uri) ?? uri).toLowerCase());
    }
  }
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  let unique = name;
  for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
  return unique;
}

/** The path of a URI; null when `resolveUri` refuses it. */
function pathOf(uri: string): string | null {
  try {
    return resolveUri(uri, '');
  } catch {
    return null;
  }
}
