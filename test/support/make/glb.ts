/** GLBs and documents written by hand, for tests: no code shared with src. */
import { type GltfDocument, parseGltf } from '../../../src/formats/gltf/index.ts';

/** Returns a GLB of JSON text (or a value to stringify) and a BIN chunk, exactly as specified. */
export function glbOf(
  json: unknown,
  bin?: Uint8Array,
  others: readonly [type: string, bytes: Uint8Array][] = [],
): Buffer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const chunks = [chunkOf('JSON', Buffer.from(text), 0x20)];
  if (bin !== undefined) chunks.push(chunkOf('BIN\0', bin, 0));
  for (const [type, bytes] of others) chunks.push(chunkOf(type, bytes, 0));
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

function chunkOf(type: string, bytes: Uint8Array, filler: number): Buffer {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4, filler);
  padded.set(bytes);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(padded.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, padded]);
}

/** Returns a document of accessors on one buffer; `json` is added to `asset` and `buffers`. */
export function documentOf(json: Record<string, unknown>, bin?: Uint8Array): GltfDocument {
  const buffers = bin === undefined ? {} : { buffers: [{ byteLength: bin.length }] };
  return parseGltf(glbOf({ asset: { version: '2.0' }, ...buffers, ...json }, bin));
}
