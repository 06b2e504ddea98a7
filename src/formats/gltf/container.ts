/** Changing the container: .gltf with files beside it ↔ one GLB. glTF 2.0 sections 3.6.1.2 and 4. */
import { FormatError } from '../../core/report/format-error.ts';
import { issue } from '../../core/report/issue.ts';
import { bufferBytes, uriBytes } from './buffers.ts';
import { type GltfDocument, type GrowingBuffer, growingBuffer } from './document.ts';
import { padding } from './glb.ts';
import { freeName } from './print.ts';
import { arrayAt, integerAt, isObject, type JsonObject, listItem, required, stringAt } from './schema.ts';
import { isDataUri, isRemote, printDataUri, uriOfPath } from './uri.ts';

/** Media types of images by file extension, for images that do not name theirs. */
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
 * Makes the document one that is printed as GLB: buffer 0 becomes the BIN chunk, other external buffers and images
 * become data URIs; data URIs and images on the web stay. The files must be loaded: `loadResources(doc, read, { images:
 * true })`. No index changes, except that a buffer that was made here for appended data joins the BIN chunk.
 * FormatError GLTF_BUFFER when a file is not loaded or too short; then the document is as before.
 */
export function toGlb(doc: GltfDocument): void {
  if (doc.container === 'glb') return;
  const { json, growing } = doc;
  // Everything that can fail comes first.
  const images = embeddedImages(doc);
  const contents = arrayAt(json, 'buffers', '').map((_, i) => (growing?.buffer === i ? null : contentOf(doc, i)));
  for (const [image, uri] of images) image['uri'] = uri;
  contents.forEach((bytes, i) => {
    if (i > 0 && bytes !== null) listItem(json, 'buffers', i)['uri'] = dataUriOf(bytes);
  });

  doc.container = 'glb';
  doc.bin = contents[0] ?? null;
  if (doc.bin !== null || growing?.buffer === 0) delete listItem(json, 'buffers', 0)['uri'];
  if (growing !== null && growing.buffer > 0 && doc.bin !== null) doc.growing = joinedToBin(doc, growing, doc.bin);
}

/** What a buffer is to be embedded with; null when it stays as it is: without a uri, or, past buffer 0, a data URI. */
function contentOf(doc: GltfDocument, index: number): Uint8Array | null {
  const pointer = `/buffers/${index}`;
  const buffer = listItem(doc.json, 'buffers', index);
  const uri = stringAt(buffer, 'uri', pointer);
  if (uri === undefined || (index > 0 && isDataUri(uri))) return null;
  const bytes = bufferBytes(doc, index);
  const length = required(integerAt(buffer, 'byteLength', pointer, 1), 'byteLength', pointer);
  if (bytes.length >= length) return bytes.subarray(0, length);
  const message = `Buffer ${index} has ${bytes.length} bytes, its byteLength is ${length}`;
  throw new FormatError('GLTF_BUFFER', message, { pointer });
}

function dataUriOf(bytes: Uint8Array): string {
  return printDataUri('application/octet-stream', [bytes]);
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
    embedded.push([image, printDataUri(type, [uriBytes(doc, uri, `${pointer}/uri`)])]);
  }
  return embedded;
}

/** Moves appended chunks behind the BIN chunk, and the buffer that was made for them, the last one, away. */
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
  const joined = growingBuffer(0, bin);
  for (const [offset, chunk] of growing.chunks) joined.chunks.set(start + offset, chunk);
  joined.length = start + growing.length;
  listItem(doc.json, 'buffers', 0)['byteLength'] = joined.length;
  return joined;
}

/**
 * Makes the document one that is printed as .gltf: the BIN chunk becomes the file `binName` (not percent-encoded;
 * numbered when the name is taken) that printing hands out. Chunks of other types have no place in a .gltf: they are
 * left out, with an issue. Nothing else changes. RangeError when `binName` is no file name.
 */
export function toGltf(doc: GltfDocument, binName: string): void {
  if (doc.container === 'gltf') return;
  const path = freeName(doc, binName);
  doc.container = 'gltf';
  const left = doc.source?.glb?.others.length ?? 0;
  if (left > 0) {
    doc.issues.push(issue('GLB_CHUNKS_DROPPED', `${left} chunks that glTF does not define were left out of the .gltf`));
  }
  const first = arrayAt(doc.json, 'buffers', '').length > 0 ? listItem(doc.json, 'buffers', 0) : undefined;
  const isBin = doc.growing === null ? doc.bin !== null : doc.growing.buffer === 0;
  if (first !== undefined && isBin && !Object.hasOwn(first, 'uri')) {
    first['uri'] = uriOfPath(path);
    doc.growing ??= growingBuffer(0, doc.bin!);
  }
  doc.bin = null;
}
