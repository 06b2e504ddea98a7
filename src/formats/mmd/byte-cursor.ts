/** Reads little-endian numbers from bytes, in one forward pass. */
import { FormatError } from '../../core/report/format-error.ts';

export interface ByteCursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** What is read, for messages: `VMD`, `PMX`. */
  readonly kind: string;
  /** Offset of the next byte. */
  at: number;
}

export function byteCursor(bytes: Uint8Array, kind: string): ByteCursor {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), kind, at: 0 };
}

export function remaining({ bytes, at }: ByteCursor): number {
  return bytes.length - at;
}

/** Moves on by some bytes and returns their offset. Throws FormatError `MMD_SYNTAX` where the file ends before them. */
export function take(cursor: ByteCursor, count: number, what: string): number {
  const { at } = cursor;
  if (!(count >= 0 && count <= remaining(cursor))) {
    const message = `The ${cursor.kind} ends early: ${what} needs ${count} bytes at byte ${at}, but ${remaining(cursor)} are left. Get the file again`;
    throw new FormatError('MMD_SYNTAX', message, { offset: at });
  }
  cursor.at += count;
  return at;
}

export function readU8(cursor: ByteCursor, what: string): number {
  return cursor.view.getUint8(take(cursor, 1, what));
}

export function readU16(cursor: ByteCursor, what: string): number {
  return cursor.view.getUint16(take(cursor, 2, what), true);
}

export function readU32(cursor: ByteCursor, what: string): number {
  return cursor.view.getUint32(take(cursor, 4, what), true);
}

/** Reads a float32. What is not finite becomes 0. */
export function readF32(cursor: ByteCursor, what: string): number {
  return finite(cursor.view.getFloat32(take(cursor, 4, what), true));
}

/** Reads some float32. What is not finite becomes 0. */
export function readFloats(cursor: ByteCursor, count: number, what: string): number[] {
  return Array.from({ length: count }, () => readF32(cursor, what));
}

export function readVector(cursor: ByteCursor, what: string): [number, number, number] {
  return [readF32(cursor, what), readF32(cursor, what), readF32(cursor, what)];
}

/** Replaces infinities and NaN by 0. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

/**
 * Reads the number of items of a list, each of which takes at least some bytes. Throws FormatError `MMD_SYNTAX` for more items than the file has
 * room for.
 */
export function readCount(cursor: ByteCursor, leastBytes: number, what: string): number {
  const { at } = cursor;
  const count = readU32(cursor, `the number of ${what}`);
  checkCount(cursor, count, leastBytes, what, at);
  return count;
}

export function checkCount(cursor: ByteCursor, count: number, leastBytes: number, what: string, offset: number): void {
  if (count * leastBytes <= remaining(cursor)) return;
  const message = `The ${cursor.kind} is cut off or damaged: it has ${count} ${what}, for which its ${remaining(cursor)} remaining bytes have no room. Get the file again`;
  throw new FormatError('MMD_SYNTAX', message, { offset });
}
