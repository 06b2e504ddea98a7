/** Reads the bytes of a binary USD file at a moving position. All numbers are little-endian, as on every machine that runs this code. */
import { FormatError } from '../../../core/report/format-error.ts';

/** The bytes of a file and a position. Reading advances `at` and never leaves the file. */
export interface ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
}

/** Creates the error for a damaged file. `offset`: byte offset of the problem; null if it is unknown. */
export function crateError(message: string, offset: number | null): FormatError {
  const where = offset === null ? {} : { offset };
  return new FormatError('USD_CRATE', `${message}; the file is damaged or incomplete`, where);
}

/** Creates a reader at the first byte of a file. It wraps a Node Buffer as plain bytes, because `Buffer.slice` does not copy. */
export function createByteReader({ buffer, byteOffset, byteLength }: Uint8Array): ByteReader {
  return {
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
    at: 0,
  };
}

export function seek(source: ByteReader, at: number, what: string): void {
  if (!(at >= 0 && at <= source.bytes.length)) {
    throw crateError(
      `${what} has the offset ${at}, which is outside the file of ${source.bytes.length} bytes`,
      source.at,
    );
  }
  source.at = at;
}

/** Advances by `size` bytes and returns the offset of the first. */
function advance(source: ByteReader, size: number): number {
  const { at } = source;
  if (!(size >= 0 && size <= source.bytes.length - at)) {
    throw crateError(`Expected ${size} more bytes, found ${source.bytes.length - at}`, at);
  }
  source.at = at + size;
  return at;
}

export function takeBytes(source: ByteReader, size: number): Uint8Array {
  const at = advance(source, size);
  return source.bytes.subarray(at, at + size);
}

export function readUint8(source: ByteReader): number {
  return source.bytes[advance(source, 1)];
}

export function readInt32(source: ByteReader): number {
  return source.view.getInt32(advance(source, 4), true);
}

export function readUint32(source: ByteReader): number {
  return source.view.getUint32(advance(source, 4), true);
}

export function readDouble(source: ByteReader): number {
  return source.view.getFloat64(advance(source, 8), true);
}

/** Reads a signed 64-bit integer: an offset or a step. It is not exact above 2⁵³, more than any file length. */
export function readInt64(source: ByteReader): number {
  const at = advance(source, 8);
  return source.view.getInt32(at + 4, true) * 2 ** 32 + source.view.getUint32(at, true);
}

/** Reads an unsigned 64-bit integer: a size or a count. It is not exact above 2⁵³. */
export function readUint64(source: ByteReader): number {
  const at = advance(source, 8);
  return source.view.getUint32(at + 4, true) * 2 ** 32 + source.view.getUint32(at, true);
}

export function readCount(source: ByteReader, bytesEach: number, what: string): number {
  const { at } = source;
  return checkCount(source, readUint64(source), bytesEach, what, at);
}

export function checkCount(source: ByteReader, count: number, bytesEach: number, what: string, at: number): number {
  if (count * bytesEach > source.bytes.length - source.at) {
    throw crateError(`Found a count of ${count} ${what}, which is more than the rest of the file can hold`, at);
  }
  return count;
}
