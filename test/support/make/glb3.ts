/** GLBs of version 3 written by hand, for tests: no code shared with src. */

/** A chunk: four letters, content, and an encoding. */
export type Chunk3 = readonly [type: string, bytes: Uint8Array | string, encoding?: number];

/** Returns a GLB of version 3, as in the draft of glTF 2.1. Zeros align chunks to 8 bytes; `length` replaces that of the header. */
export function glb3Of(chunks: readonly Chunk3[], length?: bigint): Buffer {
  const body = chunks.map(([type, bytes, encoding = 0]) => {
    const content = Buffer.from(bytes);
    const head = Buffer.alloc(16);
    head.write(type, 0, 'latin1');
    head.writeUInt32LE(encoding, 4);
    head.writeBigUInt64LE(BigInt(content.length), 8);
    return Buffer.concat([head, content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
  });
  const head = Buffer.alloc(16);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(3, 4);
  const total = body.reduce((sum, part) => sum + part.length, 16);
  head.writeBigUInt64LE(length ?? BigInt(total), 8);
  return Buffer.concat([head, ...body]);
}
