/** Writes bytes to a growing buffer, little-endian. */

export interface ByteWriter {
  /** The buffer; longer than its contents. */
  bytes: Uint8Array;
  view: DataView;
  /** Bytes written so far. */
  at: number;
}

export function createByteWriter(): ByteWriter {
  const bytes = new Uint8Array(1 << 16);
  return { bytes, view: new DataView(bytes.buffer), at: 0 };
}

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

export function putUint8(out: ByteWriter, value: number): void {
  const at = reserve(out, 1);
  out.bytes[at] = value;
}

export function putInt32(out: ByteWriter, value: number): void {
  const at = reserve(out, 4);
  out.view.setInt32(at, value, true);
}

/** Writes a 64-bit integer: a size, an offset or a step. */
export function putInt64(out: ByteWriter, value: number): void {
  const at = reserve(out, 8);
  out.view.setInt32(at, value, true);
  out.view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
}

export function putDouble(out: ByteWriter, value: number): void {
  const at = reserve(out, 8);
  out.view.setFloat64(at, value, true);
}

export function putBytes(out: ByteWriter, bytes: Uint8Array): void {
  const at = reserve(out, bytes.length);
  out.bytes.set(bytes, at);
}

/** Writes zeros up to the next multiple of 8 bytes. */
export function alignTo8(out: ByteWriter): void {
  const rest = -out.at & 7;
  const at = reserve(out, rest);
  out.bytes.fill(0, at, at + rest);
}

/** Returns the bytes of a typed array without copying. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
