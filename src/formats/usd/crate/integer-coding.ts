/**
 * Compresses and decompresses the integers of binary USD files. The encoding has the most common difference of neighbors, then a 2-bit code per
 * integer, then the other differences, all compressed by LZ4. Code 0 is the common difference; 1, 2 and 3 are differences of 1, 2 and 4 bytes
 * (32-bit integers) or 2, 4 and 8 bytes (64-bit integers). Source: OpenUSD, integerCoding.cpp.
 */
import { type ByteReader, crateError, readUint64, takeBytes } from './byte-reader.ts';
import { type MemoryBudget, reserveMemory } from './crate-limits.ts';
import { compress, decompress, maxDecompressedSize } from './fast-compression.ts';

function codeBytes(count: number): number {
  return Math.ceil(count / 4);
}

/** Reads encoded integers, a size and compressed bytes, and decompresses them. */
function decompressIntegers(source: ByteReader, count: number, width: 4 | 8, budget: MemoryBudget): DataView {
  const start = source.at;
  const size = readUint64(source);
  if (size > source.bytes.length - source.at) throw crateError('Compressed integers are longer than the file', start);
  const least = width + codeBytes(count);
  if (size === 0 || least > maxDecompressedSize(size)) {
    throw crateError(`Expected ${count} integers, which ${size} compressed bytes cannot hold`, start);
  }
  const most = Math.min(least + width * count, maxDecompressedSize(size));
  reserveMemory(budget, most + width * count);
  const coded = new Uint8Array(most);
  const filled = decompress(source, size, coded);
  if (filled < least)
    throw crateError(`Compressed integers end after ${filled} decompressed bytes, expected at least ${least}`, start);
  return new DataView(coded.buffer, 0, filled);
}

/** Skips the encoding of zero integers and returns 0. */
function skipEmpty(source: ByteReader): 0 {
  takeBytes(source, readUint64(source));
  return 0;
}

function tooShort(source: ByteReader): Error {
  return crateError('Compressed integers end before the last integer', source.at);
}

export function readCompressedInts(source: ByteReader, count: number, budget: MemoryBudget): Int32Array {
  if (count === 0) return new Int32Array(skipEmpty(source));
  const coded = decompressIntegers(source, count, 4, budget);
  const out = new Int32Array(count);
  const common = coded.getInt32(0, true);
  const end = coded.byteLength;
  let at = 4 + codeBytes(count);
  let value = 0;
  for (let i = 0; i < count; i++) {
    const code = (coded.getUint8(4 + (i >>> 2)) >>> ((i & 3) * 2)) & 3;
    if (code === 0) value = (value + common) | 0;
    else {
      const width = code === 3 ? 4 : code;
      if (at + width > end) throw tooShort(source);
      const step = code === 1 ? coded.getInt8(at) : code === 2 ? coded.getInt16(at, true) : coded.getInt32(at, true);
      value = (value + step) | 0;
      at += width;
    }
    out[i] = value;
  }
  return out;
}

export function readCompressedInt64s(source: ByteReader, count: number, budget: MemoryBudget): BigInt64Array {
  if (count === 0) return new BigInt64Array(skipEmpty(source));
  const coded = decompressIntegers(source, count, 8, budget);
  const out = new BigInt64Array(count);
  const common = coded.getBigInt64(0, true);
  const end = coded.byteLength;
  let at = 8 + codeBytes(count);
  let value = 0n;
  for (let i = 0; i < count; i++) {
    const code = (coded.getUint8(8 + (i >>> 2)) >>> ((i & 3) * 2)) & 3;
    if (code === 0) value += common;
    else {
      const width = 1 << code;
      if (at + width > end) throw tooShort(source);
      if (code === 1) value += BigInt(coded.getInt16(at, true));
      else value += code === 2 ? BigInt(coded.getInt32(at, true)) : coded.getBigInt64(at, true);
      at += width;
    }
    out[i] = value;
    // Wrap around on overflow, as the array does.
    value = out[i];
  }
  return out;
}

/** Returns the most common of sorted values; of several, the largest. */
function mostCommon<Int extends number | bigint>(sorted: ArrayLike<Int>): Int {
  let best = sorted[0];
  let most = 0;
  let start = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (sorted[i] !== sorted[start]) start = i;
    if (i - start + 1 < most) continue;
    most = i - start + 1;
    best = sorted[i];
  }
  return best;
}

export function compressInts(values: Int32Array | Uint32Array): Uint8Array {
  const count = values.length;
  if (count === 0) return compress(new Uint8Array(0));
  const steps = new Int32Array(count);
  for (let i = 0; i < count; i++) steps[i] = values[i] - (i === 0 ? 0 : values[i - 1]);
  const common = mostCommon(steps.slice().sort());
  const coded = new DataView(new ArrayBuffer(4 + codeBytes(count) + 4 * count));
  coded.setInt32(0, common, true);
  let at = 4 + codeBytes(count);
  for (let i = 0; i < count; i++) {
    const step = steps[i];
    const code = step === common ? 0 : step === (step << 24) >> 24 ? 1 : step === (step << 16) >> 16 ? 2 : 3;
    const codeAt = 4 + (i >>> 2);
    coded.setUint8(codeAt, coded.getUint8(codeAt) | (code << ((i & 3) * 2)));
    if (code === 1) coded.setInt8(at, step);
    else if (code === 2) coded.setInt16(at, step, true);
    else if (code === 3) coded.setInt32(at, step, true);
    at += code === 3 ? 4 : code;
  }
  return compress(new Uint8Array(coded.buffer, 0, at));
}

export function compressInt64s(values: BigInt64Array | BigUint64Array): Uint8Array {
  const count = values.length;
  if (count === 0) return compress(new Uint8Array(0));
  const steps = new BigInt64Array(count);
  for (let i = 0; i < count; i++) steps[i] = values[i] - (i === 0 ? 0n : values[i - 1]);
  const common = mostCommon(steps.slice().sort());
  const coded = new DataView(new ArrayBuffer(8 + codeBytes(count) + 8 * count));
  coded.setBigInt64(0, common, true);
  let at = 8 + codeBytes(count);
  for (let i = 0; i < count; i++) {
    const step = steps[i];
    const code = step === common ? 0 : step === BigInt.asIntN(16, step) ? 1 : step === BigInt.asIntN(32, step) ? 2 : 3;
    const codeAt = 8 + (i >>> 2);
    coded.setUint8(codeAt, coded.getUint8(codeAt) | (code << ((i & 3) * 2)));
    if (code === 1) coded.setInt16(at, Number(step), true);
    else if (code === 2) coded.setInt32(at, Number(step), true);
    else if (code === 3) coded.setBigInt64(at, step, true);
    at += code === 0 ? 0 : 1 << code;
  }
  return compress(new Uint8Array(coded.buffer, 0, at));
}
