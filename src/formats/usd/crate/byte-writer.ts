/** Writes bytes to a growing buffer, little-endian. */

/** A growing buffer. */
export interface ByteWriter {
  /** The buffer; longer than its contents. */
  bytes: Uint8Array;
  /** The same buffer. */
  view: DataView;
  /** Bytes written so far. */
  at: number;
}

/**
 * Creates an empty buffer.
 *
 * @returns The writer.
 */
export function createByteWriter(): ByteWriter {
  const bytes = new Uint8Array(1 << 16);
  return { bytes, view: new DataView(bytes.buffer), at: 0 };
}

/** Reserves `size` bytes and returns the offset of the first. */
function reserve(out: ByteWriter, size: number): number {
  const { at } = out;
  const end = at + size;
  if (end > out.bytes.length) {
    const bytes = new Uint8Array(Math.max(end, 2 * out.bytes.length));
    bytes.set(out.bytes.subarray(0, at));
    out.bytes = bytes;
    out.view = new DataView(bytes.buffer);
  }
  out.at = end;
  return at;
}

/**
 * Writes a byte.
 *
 * @param out - The file; grows.
 * @param value - 0 to 255.
 */
export function putUint8(out: ByteWriter, value: number): void {
  const at = reserve(out, 1);
  out.bytes[at] = value;
}

/**
 * Writes a 32-bit integer.
 *
 * @param out - The file; grows.
 * @param value - Signed or unsigned.
 */
export function putInt32(out: ByteWriter, value: number): void {
  const at = reserve(out, 4);
  out.view.setInt32(at, value, true);
}

/**
 * Writes a 64-bit integer: a size, an offset or a step.
 *
 * @param out - The file; grows.
 * @param value - An integer.
 */
export function putInt64(out: ByteWriter, value: number): void {
  const at = reserve(out, 8);
  out.view.setInt32(at, value, true);
  out.view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
}

/**
 * Writes a double.
 *
 * @param out - The file; grows.
 * @param value - Any number.
 */
export function putDouble(out: ByteWriter, value: number): void {
  const at = reserve(out, 8);
  out.view.setFloat64(at, value, true);
}

/**
 * Writes bytes.
 *
 * @param out - The file; grows.
 * @param bytes - Copied.
 */
export function putBytes(out: ByteWriter, bytes: Uint8Array): void {
  const at = reserve(out, bytes.length);
  out.bytes.set(bytes, at);
}

/**
 * Writes zeros up to the next multiple of 8 bytes.
 *
 * @param out - The file; grows.
 */
export function alignTo8(out: ByteWriter): void {
  const rest = -out.at & 7;
  const at = reserve(out, rest);
  out.bytes.fill(0, at, at + rest);
}

/**
 * Returns the bytes of a typed array without copying.
 *
 * @param numbers - A typed array.
 * @returns A view of its bytes.
 */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
