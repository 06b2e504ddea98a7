/** Changing the container: .gltf with files beside it ↔ one GLB. glTF 2.0 sections 3.6.1.2 and 4. */
import { FormatError } from '../../core/report/format-error.ts';
import { bufferBytes, uriBytes } from './buffers.ts';
import type { GltfDocument, GrowingBuffer } from './document.ts';
import { padding } from './glb.ts';
import { freeName } from './print.ts';
import { arrayAt, integerAt, isObject, type JsonObject, listItem, required, stringAt } from './schema.ts';
import { isDataUri, printDataUri, uriOfPath } from './uri.ts';

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
 * Makes the document one that is printed as GLB: buffer 0 becomes the BIN chunk, other external buffers and images become data URIs; data URIs stay.
 * They must be loaded: `loadResources(doc, read, { images: true })`. No index changes, except that a buffer of data appended here joins the BIN chunk.
 * FormatError GLTF_BUFFER when something is not loaded or too short.
 */
export function toGlb(doc: GltfDocument): void {
  if (doc.container === 'glb') return;
  const { json, growing } = doc;
  const buffers = arrayAt(json, 'buffers', '');
  let bin: Uint8Array | null = null;
  for (let i = 0; i < buffers.length; i++) {
    if (growing?.buffer === i) {
      if (i === 0) delete listItem(json, 'buffers', 0)['uri'];
      continue;
    }
    const buffer = listItem(json, 'buffers', i);
    const uri = stringAt(buffer, 'uri', `/buffers/${i}`);
    if (uri === undefined || (i > 0 && isDataUri(uri))) continue;
    const bytes = wholeBuffer(doc, buffer, i);
    if (i === 0) {
      bin = bytes;
      delete buffer['uri'];
    } else {
      buffer['uri'] = printDataUri('application/octet-stream', [bytes]);
    }
  }
  embedImages(doc);
  doc.container = 'glb';
  doc.bin = bin;
  if (growing !== null && growing.buffer > 0 && bin !== null) doc.growing = joinedToBin(doc, growing, bin);
}

function wholeBuffer(doc: GltfDocument, buffer: JsonObject, index: number): Uint8Array {
  const pointer = `/buffers/${index}`;
  const bytes = bufferBytes(doc, index);
  const length = required(integerAt(buffer, 'byteLength', pointer, 1), 'byteLength', pointer);
  if (bytes.length >= length) return bytes.subarray(0, length);
  const message = `Buffer ${index} has ${bytes.length} bytes, its byteLength is ${length}`;
  throw new FormatError('GLTF_BUFFER', message, { pointer });
}

function embedImages(doc: GltfDocument): void {
  const images = arrayAt(doc.json, 'images', '');
  for (let i = 0; i < images.length; i++) {
    const image = listItem(doc.json, 'images', i);
    const uri = stringAt(image, 'uri', `/images/${i}`);
    if (uri === undefined || isDataUri(uri)) continue;
    const extension = uri.slice(uri.lastIndexOf('.') + 1).toLowerCase();
    const type =
      stringAt(image, 'mimeType', `/images/${i}`) ?? IMAGE_TYPES.get(extension) ?? 'application/octet-stream';
    image['uri'] = printDataUri(type, [uriBytes(doc, uri, `/images/${i}/uri`)]);
  }
}

/** Moves the appended chunks behind the BIN chunk, and our buffer, which is the last and which only our views name, away. */
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
  const chunks = new Map([...growing.chunks].map(([offset, chunk]) => [start + offset, chunk]));
  const length = start + growing.length;
  listItem(doc.json, 'buffers', 0)['byteLength'] = length;
  return { buffer: 0, head: bin, chunks, length };
}

/**
 * Makes the document one that is printed as .gltf: the BIN chunk becomes the file `binName` (not percent-encoded; numbered when the name
 * is taken) that printing hands out. Chunks of other types have no place in a .gltf and stay behind; nothing else changes.
 */
export function toGltf(doc: GltfDocument, binName: string): void {
  if (doc.container === 'gltf') return;
  doc.container = 'gltf';
  const buffers = arrayAt(doc.json, 'buffers', '');
  if (buffers.length === 0 || (doc.bin === null && doc.growing?.buffer !== 0)) return;
  const first = listItem(doc.json, 'buffers', 0);
  if (Object.hasOwn(first, 'uri')) return;
  first['uri'] = uriOfPath(freeName(doc, binName));
  doc.growing ??= { buffer: 0, head: doc.bin!, chunks: new Map(), length: doc.bin!.length };
  doc.bin = null;
}
