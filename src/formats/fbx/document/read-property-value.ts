import { Unzlib } from 'fflate';
import { FormatError } from '../../../core/report/format-error.ts';
import { elementBytes } from './binary-layout.ts';
import type { FbxProperty } from './fbx-tree.ts';

/** Bytes fed at once. One chunk expands to at most 1,032 times as much before the size is checked again. */
const CHUNK_BYTES = 1 << 13;

/** Stops a stream that is longer than its output array. */
class TooLong extends Error {}

/**
 * Expands a zlib stream of known size into `out`. Stops as soon as the output would be longer, so that no stream can fill the memory. Checksums are
 * not verified. `out` receives the expanded bytes; the stream must fill it exactly.
 */
export function inflateInto(stream: Uint8Array, out: Uint8Array): string | null {
  let filled = 0;
  const unzlib = new Unzlib((chunk) => {
    if (filled + chunk.length > out.length) throw new TooLong();
    out.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let at = 0; at < stream.length; at += CHUNK_BYTES) {
      unzlib.push(stream.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= stream.length);
    }
  } catch (error) {
    return error instanceof TooLong ? 'expands to more' : 'is damaged';
  }
  return filled === out.length ? null : `expands to ${filled}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isUtf8(text: Uint8Array): boolean {
  if (!text.some((byte) => byte >= 0x80)) return true;
  try {
    utf8.decode(text);
    return true;
  } catch {
    return false;
  }
}

/** Longest text that may be shared, bytes: names of records, properties and types, which a file repeats for every object. */
const SHARED_TEXT = 24;

interface ValueSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Decodes text: the SDK writes UTF-8; some other programs write the encoding of their system. */
  readonly textOf: (text: Uint8Array) => string;
}

/**
 * Prepares the bytes of a file for reading. Short texts that repeat become one string: in a file of 15,000 joints they are most of the memory.
 * `legacy`: decoder for text that is not UTF-8.
 */
export function valueSource(bytes: Uint8Array, legacy: TextDecoder): ValueSource {
  const shared = new Map<string, string>();
  const decode = (text: Uint8Array): string => {
    try {
      return utf8.decode(text);
    } catch {
      return legacy.decode(text);
    }
  };
  const textOf = (part: Uint8Array): string => {
    const text = decode(part);
    if (part.length > SHARED_TEXT) return text;
    const known = shared.get(text);
    if (known === undefined) shared.set(text, text);
    return known ?? text;
  };
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), textOf };
}

/** Bytes of the length of a string, after its type code. */
const STRING_HEADER = 5;

export function stringAt({ bytes, view }: Pick<ValueSource, 'bytes' | 'view'>, at: number): Uint8Array {
  const start = at + STRING_HEADER;
  return bytes.subarray(start, start + view.getUint32(at + 1, true));
}

/** Views bytes as the typed array of a type code. FBX files and all JavaScript engines are little-endian. */
function typedArray(type: string, bytes: Uint8Array<ArrayBuffer>): FbxProperty {
  const { buffer } = bytes;
  switch (type) {
    case 'i':
      return new Int32Array(buffer);
    case 'l':
      return new BigInt64Array(buffer);
    case 'f':
      return new Float32Array(buffer);
    case 'd':
      return new Float64Array(buffer);
    default:
      return bytes;
  }
}

function readArray(view: DataView, type: string, at: number): FbxProperty {
  const count = view.getUint32(at, true);
  const isCompressed = view.getUint32(at + 4, true) === 1;
  const stored = new Uint8Array(view.buffer, view.byteOffset + at + 12, view.getUint32(at + 8, true));
  const out = new Uint8Array(count * elementBytes(type));
  if (!isCompressed) {
    out.set(stored);
    return typedArray(type, out);
  }
  const wrong = count === 0 ? null : inflateInto(stored, out);
  if (wrong !== null) {
    const message = `A compressed array should expand to ${count} elements (${out.length} bytes), but it ${wrong}. Export the file again.`;
    throw new FormatError('FBX_SYNTAX', message, { offset: at + 12 });
  }
  return typedArray(type, out);
}

/** Reads one byte: 0 and 1 are booleans. The SDK also writes letters (`Shading: Y`), which text files have as words. */
function readByte(type: string, byte: number): FbxProperty {
  if (type === 'Z') return (byte << 24) >> 24;
  const isLetter = (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
  return type === 'C' && isLetter ? String.fromCharCode(byte) : byte !== 0;
}

/** Returns a 64-bit integer as a number if that is exact. */
function exactInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Reads a property, after `walkBinary` has checked it. Returns a number (types Y, I, F, D, L; bigint for large L), boolean or letter (B, C, Z),
 * string (S), bytes (R) or typed array (b, c, i, l, f, d). Throws FormatError `FBX_SYNTAX` with the byte offset if a compressed array does not
 * expand to its declared size.
 */
export function readPropertyValue(source: ValueSource, at: number): FbxProperty {
  const { bytes, view, textOf } = source;
  const type = String.fromCharCode(bytes[at]);
  switch (type) {
    case 'Y':
      return view.getInt16(at + 1, true);
    case 'I':
      return view.getInt32(at + 1, true);
    case 'F':
      return view.getFloat32(at + 1, true);
    case 'D':
      return view.getFloat64(at + 1, true);
    case 'L':
      return exactInteger(view.getBigInt64(at + 1, true));
    case 'B':
    case 'C':
    case 'Z':
      return readByte(type, bytes[at + 1]);
    case 'S':
      return textOf(stringAt(source, at));
    case 'R':
      return new Uint8Array(stringAt(source, at));
    default:
      return readArray(view, type, at + 1);
  }
}
