/**
 * Compresses and decompresses LZ4 chunks as OpenUSD's TfFastCompression does: a byte with the number of chunks, then the chunks, each after its size.
 * The number 0 means a single chunk without a size. A chunk decompresses to at most 0x7E000000 bytes.
 */
import { type ByteReader, crateError, readInt32, readUint8, takeBytes } from './byte-reader.ts';
import { decodeLz4Block, encodeLz4Block } from './lz4.ts';

/** Maximum bytes from one compressed byte. */
const MAX_RATIO = 255;

/** Bounds the size of decompressed data. */
export function maxDecompressedSize(compressedSize: number): number {
  return compressedSize * MAX_RATIO;
}

export function decompress(source: ByteReader, compressedSize: number, out: Uint8Array): number {
  const start = source.at;
  const end = start + compressedSize;
  const chunks = readUint8(source);
  if (chunks === 0) return decompressChunk(takeBytes(source, compressedSize - 1), out, start);
  let filled = 0;
  for (let k = 0; k < chunks; k++) {
    const size = readInt32(source);
    if (size < 0 || size > end - source.at)
      throw crateError('A compressed chunk is longer than the data that contains it', start);
    filled += decompressChunk(takeBytes(source, size), out.subarray(filled), start);
  }
  return filled;
}

function decompressChunk(chunk: Uint8Array, out: Uint8Array, offset: number): number {
  const filled = decodeLz4Block(chunk, out);
  if (filled < 0) throw crateError('Compressed data is damaged', offset);
  return filled;
}

export function compress(bytes: Uint8Array): Uint8Array {
  const block = encodeLz4Block(bytes);
  const out = new Uint8Array(block.length + 1);
  out.set(block, 1);
  return out;
}
