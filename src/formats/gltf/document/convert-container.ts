/** Converts between .gltf with external files and a single GLB. glTF 2.0 sections 3.6.1.2 and 4. */
import { FormatError } from '../../../core/report/format-error.ts';
import { issue } from '../../../core/report/issue.ts';
import { bufferBytes, chunkBytes, uriBytes } from './buffers.ts';
import { createGrowingBuffer, type GltfDocument, type GrowingBuffer } from './document.ts';
import { padding } from './glb.ts';
import { arrayAt, integerAt, isObject, type JsonObject, listItem, required, stringAt } from './json-access.ts';
import { uniqueFileName } from './serialize-gltf.ts';
import { isDataUri, isRemote, serializeDataUri, uriOfPath } from './uri.ts';

/** Media types by file extension, for images without `mimeType`. */
const IMAGE_TYPES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['ktx2', 'image/ktx2'],
  ['avif', 'image/avif'],
  ['dds', 'image/vnd-ms.dds'],
]);

/**
 * Converts a document to the GLB container. Buffer 0 becomes the BIN chunk; other external buffers and images become data URIs. Data URIs and images
 * with http(s) URIs stay. Indices stay, except that a buffer that anyrig added for appended data is merged into the BIN chunk. `doc` is edited; its
 * files must be loaded: `loadResources(doc, read, { images: true })`. Throws FormatError GLTF_BUFFER when a file is not loaded or too short, or buffer 0
 * has no data. The document is then unchanged.
 */
export function toGlb(doc: GltfDocument): void {
  if (doc.container === 'glb') return;
  const { json, growing } = doc;
  // Everything that can throw runs before the first change.
  const images = embeddedImages(doc);
  const contents = arrayAt(json, 'buffers', '').map((_, i) => (growing?.buffer === i ? null : contentOf(doc, i)));
  if (contents[0] === null && growing?.buffer !== 0) {
    const message =
      'Buffer 0 has no uri and so no data, and in a GLB it must be the BIN chunk; add the missing uri, or write a .gltf instead';
    throw new FormatError('GLTF_BUFFER', message, { pointer: '/buffers/0' });
  }
  for (const [image, uri] of images) image['uri'] = uri;
  contents.forEach((bytes, i) => {
    if (i > 0 && bytes !== null) listItem(json, 'buffers', i)['uri'] = dataUriOf(bytes);
  });

  doc.container = 'glb';
  doc.bin = contents[0] ?? null;
  if (doc.bin !== null || growing?.buffer === 0) delete listItem(json, 'buffers', 0)['uri'];
  if (growing !== null && growing.buffer > 0 && doc.bin !== null) doc.growing = joinedToBin(doc, growing, doc.bin);
}

/** Bytes to embed for a buffer; null when it stays as it is: it has no uri, or it is a data URI of another buffer than 0. */
function contentOf(doc: GltfDocument, index: number): Uint8Array | null {
  const pointer = `/buffers/${index}`;
  const buffer = listItem(doc.json, 'buffers', index);
  const uri = stringAt(buffer, 'uri', pointer);
  if (uri === undefined || (index > 0 && isDataUri(uri))) return null;
  const bytes = bufferBytes(doc, index);
  const length = required(integerAt(buffer, 'byteLength', pointer, 1), 'byteLength', pointer);
  if (bytes.length >= length) return bytes.subarray(0, length);
  const message = `Buffer ${index} has ${bytes.length} bytes, but its byteLength is ${length}; the file is cut off`;
  throw new FormatError('GLTF_BUFFER', message, { pointer });
}

function dataUriOf(bytes: Uint8Array): string {
  return serializeDataUri('application/octet-stream', [bytes]);
}

function embeddedImages(doc: GltfDocument): [JsonObject, string][] {
  const embedded: [JsonObject, string][] = [];
  const images = arrayAt(doc.json, 'images', '');
  for (let i = 0; i < images.length; i++) {
    const pointer = `/images/${i}`;
    const image = listItem(doc.json, 'images', i);
    const uri = stringAt(image, 'uri', pointer);
    if (uri === undefined || isDataUri(uri) || isRemote(uri)) continue;
    const extension = uri.slice(uri.lastIndexOf('.') + 1).toLowerCase();
    const type = stringAt(image, 'mimeType', pointer) ?? IMAGE_TYPES.get(extension) ?? 'application/octet-stream';
    embedded.push([image, serializeDataUri(type, [uriBytes(doc, uri, `${pointer}/uri`)])]);
  }
  return embedded;
}

/** Moves appended chunks behind the BIN chunk and removes the buffer that was added for them, if it is the last one. */
function joinedToBin(doc: GltfDocument, growing: GrowingBuffer, bin: Uint8Array): GrowingBuffer {
  const buffers = arrayAt(doc.json, 'buffers', '') as unknown[];
  if (growing.buffer !== buffers.length - 1) return growing;
  const start = bin.length + padding(bin.length);
  for (const view of arrayAt(doc.json, 'bufferViews', '')) {
    if (!isObject(view) || view['buffer'] !== growing.buffer) continue;
    view['buffer'] = 0;
    view['byteOffset'] = start + ((view['byteOffset'] as number | undefined) ?? 0);
  }
  buffers.pop();
  const joined = createGrowingBuffer(0, bin);
  for (const [offset, chunk] of growing.chunks) joined.chunks.set(start + offset, chunk);
  joined.length = start + growing.length;
  listItem(doc.json, 'buffers', 0)['byteLength'] = joined.length;
  return joined;
}

/**
 * Converts a document to .gltf. The BIN chunk becomes an external file, which `serializeGltf` returns; further BIN chunks of a GLB of version 3
 * become data URIs. A .gltf cannot hold chunks of other types: they are dropped (issue GLB_CHUNKS_DROPPED in `doc.issues`). Nothing else changes.
 * `doc` is edited. `binName` is not percent-encoded; a number is added when the name is taken. Throws RangeError when `binName` is not a file name.
 * Throws FormatError GLTF_BUFFER for a buffer in a chunk that cannot be read. The document is then unchanged.
 */
export function toGltf(doc: GltfDocument, binName: string): void {
  if (doc.container === 'gltf') return;
  const path = uniqueFileName(doc, binName);
  const stored = storedBuffers(doc);
  doc.container = 'gltf';
  const dropped = doc.source?.glb?.others.length ?? 0;
  if (dropped > 0) {
    doc.issues.push(
      issue(
        'GLB_CHUNKS_DROPPED',
        `The GLB has ${dropped} chunks of types that glTF does not define; a .gltf cannot hold them, so they were dropped`,
      ),
    );
  }
  for (const [index, bytes] of stored) {
    doc.growing ??= createGrowingBuffer(index, bytes);
    const isFile = doc.growing.buffer === index;
    listItem(doc.json, 'buffers', index)['uri'] = isFile ? uriOfPath(path) : dataUriOf(bytes);
  }
  if (doc.chunks !== null)
    for (const buffer of arrayAt(doc.json, 'buffers', '')) delete (buffer as JsonObject)['chunk'];
  doc.bin = null;
  doc.chunks = null;
}

/** The buffers that are chunks of a GLB, and their bytes. `serializeGltf` sets the uri of a buffer that was added for new data. */
function storedBuffers(doc: GltfDocument): [index: number, bytes: Uint8Array][] {
  const stored: [number, Uint8Array][] = [];
  const added = doc.growing?.buffer ?? 0;
  arrayAt(doc.json, 'buffers', '').forEach((_, i) => {
    if ((i > 0 && i === added) || Object.hasOwn(listItem(doc.json, 'buffers', i), 'uri')) return;
    const bytes = doc.growing?.buffer === i ? doc.growing.head : chunkBytes(doc, i);
    if (bytes !== null) stored.push([i, bytes]);
  });
  return stored;
}
