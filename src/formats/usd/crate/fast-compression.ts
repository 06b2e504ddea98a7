/**
 * Blocks of LZ4 in chunks, as OpenUSD's TfFastCompression stores them: a byte that counts the chunks, zero for a single one without a size before
 * it; else the chunks, each after its size. A chunk expands to at most 0x7E000000 bytes.
 */
import { type ByteReader, crateError, readInt32, readUint8, takeBytes } from './byte-reader.ts';
import { decodeLz4Block, encodeLz4Block } from './lz4.ts';

/** One byte of LZ4 expands to at most so many. */
const MAX_RATIO = 255;

/** The bytes that so many compressed ones may expand to at most. */
export function maxDecompressedSize(compressedSize: number): number {
  return compressedSize * MAX_RATIO;
}

/**
 * Expands the next `compressedSize` bytes into `out`.
 *
 * @returns How many bytes came out.
 * @throws FormatError USD_CRATE for damaged data, or more than `out` holds.
 */
export function decompress(source: ByteReader, compressedSize: number, out: Uint8Array): number {
  const start = source.at;
  const end = start + compressedSize;
  const chunks = readUint8(source);
  if (chunks === 0) return decompressChunk(takeBytes(source, compressedSize - 1), out, start);
  let filled = 0;
  for (let k = 0; k < chunks; k++) {
    const size = readInt32(source);
    if (size < 0 || size > end - source.at)
      throw crateError('A chunk of compressed data is longer than all of it', start);
    filled += decompressChunk(takeBytes(source, size), out.subarray(filled), start);
  }
  return filled;
}

function decompressChunk(chunk: Uint8Array, out: Uint8Array, offset: number): number {
  const filled = decodeLz4Block(chunk, out);
  if (filled < 0) throw crateError('Compressed data is damaged', offset);
  return filled;
}

/** Compresses bytes in one chunk. */
export function compress(bytes: Uint8Array): Uint8Array {
  const block = encodeLz4Block(bytes);
  const out = new Uint8Array(block.length + 1);
  out.set(block, 1);
  return out;
}
