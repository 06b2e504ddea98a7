/** Bytes of buffers and buffer views: BIN chunk, data URIs, external files. glTF 2.0 section 3.6.1. */
import type { ReadResource } from '../../../core/asset/asset.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type GltfDocument, type GrowingBuffer, plainBytes } from './document.ts';
import { concatParts } from './glb.ts';
import { BIN_CHUNK, typeName } from './glb-chunks.ts';
import { arrayAt, indexAt, integerAt, isObject, type JsonObject, listItem, required, stringAt } from './json-access.ts';
import { compressionOf, decompressView } from './meshopt.ts';
import { isDataUri, isRemote, parseDataUri, resolveUri } from './uri.ts';

/** An external file that a buffer or an image references. */
interface GltfResource {
  readonly kind: 'buffer' | 'image';
  readonly pointer: string;
  /** Percent-decoded path relative to the folder of the asset, separated by `/`. */
  readonly path: string;
}

/**
 * Lists the external files that buffers and images reference. Images with http(s) URIs are not listed. Returns one entry per reference, buffers
 * first; a file that is referenced twice is listed twice. Throws FormatError GLTF_URI_REFUSED for URIs that point outside the folder of the asset.
 */
export function listResources(doc: GltfDocument): GltfResource[] {
  return [...externals(doc, 'buffer'), ...externals(doc, 'image')];
}

function externals(doc: GltfDocument, kind: 'buffer' | 'image'): GltfResource[] {
  const found: GltfResource[] = [];
  const list = kind === 'buffer' ? 'buffers' : 'images';
  const items = arrayAt(doc.json, list, '');
  for (let i = 0; i < items.length; i++) {
    const pointer = `/${list}/${i}`;
    const uri = stringAt(listItem(doc.json, list, i), 'uri', pointer);
    if (uri === undefined || isDataUri(uri) || (kind === 'image' && isRemote(uri))) continue;
    found.push({ kind, pointer, path: resolveUri(uri, `${pointer}/uri`) });
  }
  return found;
}

/**
 * Loads the external buffers into the document: each file once, one after the other.
 *
 * @param doc Document; its `resources` are filled.
 * @param readResource Reads one file.
 * @param options `images: true` also loads the external images, which `toGlb` needs.
 * @throws FormatError GLTF_URI_REFUSED before any file is read; GLTF_BUFFER when `readResource` fails.
 * @example
 * const doc = parseGltf(await readFile('models/robot.gltf'));
 * await loadResources(doc, (path) => readFile(`models/${path}`));
 */
export async function loadResources(
  doc: GltfDocument,
  readResource: ReadResource,
  options: { readonly images?: boolean } = {},
): Promise<void> {
  const references = options.images ? listResources(doc) : externals(doc, 'buffer');
  for (const { path, pointer } of references) {
    if (doc.resources.has(path)) continue;
    try {
      doc.resources.set(path, plainBytes(await readResource(path)));
    } catch (error) {
      if (error instanceof FormatError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new FormatError('GLTF_BUFFER', `The file ${path}, which ${pointer} references, cannot be read: ${reason}`, {
        pointer,
        resource: path,
      });
    }
  }
}

/**
 * Returns the bytes behind a data URI or a loaded external file. Throws FormatError GLTF_BUFFER when the file is not loaded or the data URI is
 * damaged; GLTF_URI_REFUSED.
 */
export function uriBytes(doc: GltfDocument, uri: string, pointer: string): Uint8Array {
  if (isDataUri(uri)) {
    const known = doc.cache.dataUris.get(uri);
    if (known !== undefined) return known;
    const bytes = parseDataUri(uri, pointer);
    doc.cache.dataUris.set(uri, bytes);
    return bytes;
  }
  const path = resolveUri(uri, pointer);
  const loaded = doc.resources.get(path);
  if (loaded !== undefined) return loaded;
  const message = `The file ${path} is not loaded. Call loadResources before its content is used.`;
  throw new FormatError('GLTF_BUFFER', message, { pointer, resource: path });
}

/**
 * Returns all bytes of a buffer. There may be more or fewer than its `byteLength`. The bytes are copied only when data was appended to the buffer.
 * The bytes; do not write to them. Throws FormatError GLTF_BUFFER for a buffer without data; GLTF_REFERENCE, GLTF_SCHEMA, GLTF_URI_REFUSED.
 */
export function bufferBytes(doc: GltfDocument, index: number): Uint8Array {
  const pointer = `/buffers/${index}`;
  const buffer = listItem(doc.json, 'buffers', index);
  if (doc.growing?.buffer === index) return joinedBytes(doc.growing);
  const uri = stringAt(buffer, 'uri', pointer);
  if (uri !== undefined) return uriBytes(doc, uri, `${pointer}/uri`);
  const stored = chunkBytes(doc, index);
  if (stored !== null) return stored;
  const message = `Buffer ${index} has no data: it has no uri, and only buffer 0 of a GLB may use the BIN chunk`;
  throw new FormatError('GLTF_BUFFER', message, { pointer });
}

/**
 * Returns the bytes of a buffer without a uri that is stored in the GLB: the chunk that `buffer.chunk` names in a GLB of version 3, or the BIN chunk
 * for buffer 0. The chunk may be longer than the buffer. Null for a buffer that is in no chunk. Throws FormatError GLTF_BUFFER for a chunk that is
 * missing, not BIN, or encoded; GLTF_SCHEMA.
 */
export function chunkBytes(doc: GltfDocument, index: number): Uint8Array | null {
  const pointer = `/buffers/${index}`;
  const number = doc.chunks === null ? undefined : integerAt(listItem(doc.json, 'buffers', index), 'chunk', pointer);
  if (doc.chunks === null || number === undefined) return index === 0 ? doc.bin : null;
  const chunk = doc.chunks[number];
  if (chunk?.type === BIN_CHUNK && chunk.encoding === 0) return chunk.bytes;
  const count = doc.chunks.length;
  const found =
    chunk === undefined
      ? `the file has only ${count} chunks`
      : chunk.type === BIN_CHUNK
        ? `that chunk has encoding ${chunk.encoding}, and only 0 (plain bytes) is supported`
        : `that chunk has type ${typeName(chunk.type)}, and a buffer needs a BIN chunk`;
  const message = `Buffer ${index} is in chunk ${number} of the GLB, but ${found}`;
  throw new FormatError('GLTF_BUFFER', message, { pointer: `${pointer}/chunk` });
}

function joinedBytes(growing: GrowingBuffer): Uint8Array {
  if (growing.joined.length !== growing.length) growing.joined = concatParts(growingParts(growing));
  return growing.joined;
}

/** Lists the pieces of a buffer with appended data, in order. Zeros fill the gaps. */
export function growingParts(growing: GrowingBuffer): Uint8Array[] {
  const parts = [growing.head];
  let end = growing.head.length;
  for (const [offset, chunk] of growing.chunks) {
    if (offset > end) parts.push(new Uint8Array(offset - end));
    parts.push(chunk);
    end = offset + chunk.length;
  }
  return parts;
}

/**
 * Returns the bytes of a buffer view, decompressed if necessary (EXT_meshopt_compression, KHR_meshopt_compression). They are not copied: do not write
 * to them. Throws FormatError GLTF_ACCESSOR for a view outside its buffer; GLTF_REFERENCE, GLTF_SCHEMA, GLTF_BUFFER, GLTF_COMPRESSION, GLTF_LIMIT.
 */
export function viewBytes(doc: GltfDocument, index: number): Uint8Array {
  const pointer = `/bufferViews/${index}`;
  const view = listItem(doc.json, 'bufferViews', index);
  const compression = compressionOf(view, pointer);
  if (compression === undefined) return rangeBytes(doc, view, pointer);
  if (doc.cache.decoder === null && hasFallback(doc, view, pointer)) return rangeBytes(doc, view, pointer);
  const packed = rangeBytes(doc, compression.object, compression.pointer);
  return decompressView(doc, view, pointer, compression, packed);
}

/** Whether the file also has the uncompressed bytes of a compressed view, for readers without the decoder. */
function hasFallback(doc: GltfDocument, view: JsonObject, pointer: string): boolean {
  const index = required(indexAt(view, 'buffer', pointer, doc.json, 'buffers'), 'buffer', pointer);
  const buffer = listItem(doc.json, 'buffers', index);
  if (Object.hasOwn(buffer, 'uri')) return true;
  return chunkBytes(doc, index) !== null && !marksFallback(buffer);
}

function marksFallback(buffer: JsonObject): boolean {
  const extensions = Object.hasOwn(buffer, 'extensions') ? buffer['extensions'] : undefined;
  if (!isObject(extensions)) return false;
  return ['EXT_meshopt_compression', 'KHR_meshopt_compression'].some((name) => Object.hasOwn(extensions, name));
}

/** Bytes [byteOffset, byteOffset + byteLength) of the buffer that a buffer view or a compression extension references. */
function rangeBytes(doc: GltfDocument, range: JsonObject, pointer: string): Uint8Array {
  const buffer = required(indexAt(range, 'buffer', pointer, doc.json, 'buffers'), 'buffer', pointer);
  const offset = integerAt(range, 'byteOffset', pointer) ?? 0;
  const length = required(integerAt(range, 'byteLength', pointer, 1), 'byteLength', pointer);
  const declared = integerAt(listItem(doc.json, 'buffers', buffer), 'byteLength', `/buffers/${buffer}`, 1);
  const { growing } = doc;
  const chunk = growing?.buffer === buffer ? growing.chunks.get(offset) : undefined;
  if (chunk !== undefined && length <= chunk.length) return chunk.subarray(0, length);
  const inHead = growing?.buffer === buffer && offset + length <= growing.head.length;
  const bytes = inHead ? growing.head : bufferBytes(doc, buffer);

  const size = Math.min(bytes.length, required(declared, 'byteLength', `/buffers/${buffer}`));
  if (offset <= size && length <= size - offset) return bytes.subarray(offset, offset + length);
  const message = `${pointer} covers bytes ${offset} to ${offset + length} of buffer ${buffer}, which has only ${size} bytes`;
  throw new FormatError('GLTF_ACCESSOR', message, { pointer });
}
