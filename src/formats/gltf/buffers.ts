/** Bytes of buffers and buffer views, wherever they are: glTF 2.0 section 3.6.1. */
import { FormatError } from '../../core/report/format-error.ts';
import { type GltfDocument, type GrowingBuffer, plainBytes } from './document.ts';
import { concatParts } from './glb.ts';
import { compressionOf, decompressView } from './meshopt.ts';
import { arrayAt, indexAt, integerAt, isObject, type JsonObject, listItem, required, stringAt } from './schema.ts';
import { isDataUri, isRemote, parseDataUri, resolveUri } from './uri.ts';

/** A file beside the asset that a buffer or an image names. */
export interface GltfResource {
  readonly kind: 'buffer' | 'image';
  /** JSON pointer of the buffer or image. */
  readonly pointer: string;
  /** As the JSON has it. */
  readonly uri: string;
  /** Decoded, below the folder of the asset; divided by `/`. */
  readonly path: string;
}

/** Reads a file beside the asset, given its decoded path; it decides how far links are followed. */
export type ReadResource = (path: string) => Promise<Uint8Array>;

/**
 * All files beside the asset that buffers and images name; images on the web are none. FormatError GLTF_URI_REFUSED for
 * URIs that leave the folder of the asset.
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
    found.push({ kind, pointer, uri, path: resolveUri(uri, `${pointer}/uri`) });
  }
  return found;
}

/**
 * Loads the external buffers, with `images` also the external images (`toGlb` needs them), each file once, one after
 * the other. FormatError GLTF_URI_REFUSED before anything is read, GLTF_BUFFER when `readResource` fails.
 */
export async function loadResources(
  doc: GltfDocument,
  readResource: ReadResource,
  options: { readonly images?: boolean } = {},
): Promise<void> {
  const wanted = options.images ? listResources(doc) : externals(doc, 'buffer');
  for (const { path, pointer } of wanted) {
    if (doc.resources.has(path)) continue;
    try {
      doc.resources.set(path, plainBytes(await readResource(path)));
    } catch (error) {
      if (error instanceof FormatError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new FormatError('GLTF_BUFFER', `The file ${path} cannot be read: ${reason}`, { pointer, resource: path });
    }
  }
}

/** Bytes of a URI that is a data URI or was loaded. FormatError GLTF_BUFFER or GLTF_URI_REFUSED. */
export function uriBytes(doc: GltfDocument, uri: string, pointer: string): Uint8Array {
  if (isDataUri(uri)) {
    const known = doc.cache.dataUris.get(uri);
    if (known !== undefined) return known;
    const { bytes } = parseDataUri(uri, pointer);
    doc.cache.dataUris.set(uri, bytes);
    return bytes;
  }
  const path = resolveUri(uri, pointer);
  const loaded = doc.resources.get(path);
  if (loaded !== undefined) return loaded;
  const message = `${path} was not loaded; call loadResources before its content is used`;
  throw new FormatError('GLTF_BUFFER', message, { pointer, resource: path });
}

/**
 * Bytes of a buffer: all that its source has, which may be more or less than its `byteLength`. Not a copy, unless data
 * was appended to it. FormatError GLTF_REFERENCE, GLTF_SCHEMA, GLTF_BUFFER or GLTF_URI_REFUSED.
 */
export function bufferBytes(doc: GltfDocument, index: number): Uint8Array {
  const pointer = `/buffers/${index}`;
  const buffer = listItem(doc.json, 'buffers', index);
  if (doc.growing?.buffer === index) return joinedBytes(doc.growing);
  const uri = stringAt(buffer, 'uri', pointer);
  if (uri !== undefined) return uriBytes(doc, uri, `${pointer}/uri`);
  if (index === 0 && doc.bin !== null) return doc.bin;
  const message = `Buffer ${index} has no data: neither a uri nor, as buffer 0, a BIN chunk`;
  throw new FormatError('GLTF_BUFFER', message, { pointer });
}

function joinedBytes(growing: GrowingBuffer): Uint8Array {
  if (growing.joined.length !== growing.length) growing.joined = concatParts(growingParts(growing));
  return growing.joined;
}

/** The pieces of a growing buffer, one after the other. */
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
 * Bytes of a buffer view, decompressed where it is compressed (EXT_meshopt_compression, KHR_meshopt_compression). Not a
 * copy: do not write to it. FormatError GLTF_ACCESSOR when it is not inside its buffer, GLTF_REFERENCE, GLTF_SCHEMA,
 * GLTF_BUFFER, GLTF_COMPRESSION, GLTF_LIMIT.
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

/** Whether the plain bytes of a compressed view are in the file, for readers without the decoder. */
function hasFallback(doc: GltfDocument, view: JsonObject, pointer: string): boolean {
  const index = required(indexAt(view, 'buffer', pointer, doc.json, 'buffers'), 'buffer', pointer);
  const buffer = listItem(doc.json, 'buffers', index);
  if (Object.hasOwn(buffer, 'uri')) return true;
  return index === 0 && doc.bin !== null && !marksFallback(buffer);
}

function marksFallback(buffer: JsonObject): boolean {
  const extensions = Object.hasOwn(buffer, 'extensions') ? buffer['extensions'] : undefined;
  if (!isObject(extensions)) return false;
  return ['EXT_meshopt_compression', 'KHR_meshopt_compression'].some((name) => Object.hasOwn(extensions, name));
}

/** Bytes [byteOffset, byteOffset + byteLength) of a buffer, as a buffer view or a compression extension names them. */
function rangeBytes(doc: GltfDocument, range: JsonObject, pointer: string): Uint8Array {
  const buffer = required(indexAt(range, 'buffer', pointer, doc.json, 'buffers'), 'buffer', pointer);
  const offset = integerAt(range, 'byteOffset', pointer) ?? 0;
  const length = required(integerAt(range, 'byteLength', pointer, 1), 'byteLength', pointer);
  const named = integerAt(listItem(doc.json, 'buffers', buffer), 'byteLength', `/buffers/${buffer}`, 1);
  const { growing } = doc;
  const chunk = growing?.buffer === buffer ? growing.chunks.get(offset) : undefined;
  if (chunk !== undefined && length <= chunk.length) return chunk.subarray(0, length);
  const inHead = growing?.buffer === buffer && offset + length <= growing.head.length;
  const bytes = inHead ? growing.head : bufferBytes(doc, buffer);

  const size = Math.min(bytes.length, required(named, 'byteLength', `/buffers/${buffer}`));
  if (offset <= size && length <= size - offset) return bytes.subarray(offset, offset + length);
  const message = `Bytes ${offset} to ${offset + length} of buffer ${buffer} are named, but it has only ${size}`;
  throw new FormatError('GLTF_ACCESSOR', message, { pointer });
}
