/** A binary USD file, and numbers from a place in it on. Little-endian, and so is every machine that runs this. */
import { FormatError } from '../../../core/report/format-error.ts';

/** Reading moves `at` on; no read leaves the file. */
export interface ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
}

/** The error that a file is not as it must be, at a place where that is known. */
export function crateError(message: string, offset: number | null): FormatError {
  const where = offset === null ? {} : { offset };
  return new FormatError('USD_CRATE', `${message}; the file is damaged or incomplete`, where);
}

/** A file from its first byte on. A Buffer of Node is taken as plain bytes: its `slice` does not copy. */
export function createByteReader({ buffer, byteOffset, byteLength }: Uint8Array): ByteReader {
  return {
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
    at: 0,
  };
}

/** Moves to a place, which must be in the file. */
export function seek(source: ByteReader, at: number, what: string): void {
  if (!(at >= 0 && at <= source.bytes.length)) {
    throw crateError(`${what} is said to be at byte ${at} of ${source.bytes.length}`, source.at);
  }
  source.at = at;
}

/** Passes so many bytes and gives the place of the first. */
function pass(source: ByteReader, size: number): number {
  const { at } = source;
  if (!(size >= 0 && size <= source.bytes.length - at)) {
    throw crateError(`${size} bytes were expected, ${source.bytes.length - at} are there`, at);
  }
  source.at = at + size;
  return at;
}

/** The next bytes, not copied. */
export function takeBytes(source: ByteReader, size: number): Uint8Array {
  const at = pass(source, size);
  return source.bytes.subarray(at, at + size);
}

export function readUint8(source: ByteReader): number {
  return source.bytes[pass(source, 1)];
}

export function readInt32(source: ByteReader): number {
  return source.view.getInt32(pass(source, 4), true);
}

export function readUint32(source: ByteReader): number {
  return source.view.getUint32(pass(source, 4), true);
}

export function readDouble(source: ByteReader): number {
  return source.view.getFloat64(pass(source, 8), true);
}

/** An offset or a step. Above 2⁵³ it is not exact, which no file is long enough to notice. */
export function readInt64(source: ByteReader): number {
  const at = pass(source, 8);
  return source.view.getInt32(at + 4, true) * 2 ** 32 + source.view.getUint32(at, true);
}

/** A size or a count. */
export function readUint64(source: ByteReader): number {
  const at = pass(source, 8);
  return source.view.getUint32(at + 4, true) * 2 ** 32 + source.view.getUint32(at, true);
}

/** A count of items that take at least so many bytes each, all of which must still come. */
export function readCount(source: ByteReader, bytesEach: number, what: string): number {
  const { at } = source;
  return checkCount(source, readUint64(source), bytesEach, what, at);
}

/** A count that was read at a place, bounded by the bytes that are left. */
export function checkCount(source: ByteReader, count: number, bytesEach: number, what: string, at: number): number {
  if (count * bytesEach > source.bytes.length - source.at) {
    throw crateError(`${count} ${what} are announced, which is more than the file can hold`, at);
  }
  return count;
}
