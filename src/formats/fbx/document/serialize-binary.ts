import { zlibSync } from 'fflate';
import { FormatError } from '../../../core/report/format-error.ts';
import {
  elementBytes,
  FIRST_RECORD_AT,
  FIRST_WIDE_VERSION,
  FOOTER_MAGIC,
  FOOTER_ZEROS,
  MAGIC,
  NEUTRAL_FOOTER_ID,
  scalarBytes,
  VERSION_AT,
} from './binary-layout.ts';
import { binaryTree } from './binary-tree.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';

/** Arrays of more bytes are stored as zlib streams of level 1, as in files of the FBX SDK. */
const MAX_PLAIN_BYTES = 1024;
const LEVEL = 1;
/** Bytes of an array before its elements: type code, number of elements, encoding, stored bytes. */
const ARRAY_HEAD = 13;
/** Bytes of a string or block before its content: type code and length. */
const BLOCK_HEAD = 5;
/** Alignment in the footer. */
const ALIGNMENT = 16;
/** The length of a name is one byte. */
const MAX_NAME_BYTES = 255;
/** The largest offset of 32 bits. */
const MAX_NARROW_OFFSET = 2 ** 32 - 1;
/** Small pieces of the file are joined up to this size. */
const PART_BYTES = 1 << 16;

/** Encodes text as UTF-8, or as in the source file. */
type EncodeText = (text: string) => Uint8Array;

/** A record whose values are in their final form. */
interface StoredRecord {
  readonly name: Uint8Array;
  readonly valueCount: number;
  /** The values with their type codes. */
  readonly values: readonly Uint8Array[];
  readonly valueBytes: number;
  readonly records: readonly StoredRecord[];
  /** Whether a record of zeros ends its list of records. */
  readonly hasList: boolean;
  /** Bytes of the record with all that is nested in it, without headers. */
  readonly bytes: number;
  /** Number of headers in it: its own, those of nested records, and records of zeros. */
  readonly headers: number;
}

/**
 * Serializes an FBX tree as a binary file: the inverse of `parseBinaryFbx`. The tree of a text file is converted. Large
 * arrays are deflated. Versions from 7.5
 * on have offsets of 64 bits; a file of an older version that is too large for 32 bits becomes 7.5.
 *
 * @returns The file in pieces, in order.
 * @throws FormatError `FBX_LIMIT` for a record whose name is too long.
 */
export function serializeBinaryFbx(tree: FbxTree): Uint8Array[] {
  const encoder = new TextEncoder();
  const encode: EncodeText = (text) => tree.legacyBytes?.get(text) ?? encoder.encode(text);
  const records = binaryTree(tree).records.map((record) => storeRecord(record, encode));
  const narrowEnd = endOf(records, FIRST_RECORD_AT, headerBytes(tree.version));
  const version = narrowEnd > MAX_NARROW_OFFSET ? Math.max(tree.version, FIRST_WIDE_VERSION) : tree.version;
  const header = headerBytes(version);
  const out = new PartWriter();
  out.write(fileHeader(version));
  const recordsEnd = writeRecords(out, records, FIRST_RECORD_AT, header);
  out.write(new Uint8Array(header));
  out.write(footer(version, tree.footerId ?? Uint8Array.from(NEUTRAL_FOOTER_ID), recordsEnd + header));
  return out.finish();
}

/** Bytes of the numbers before the name of a record. */
function headerBytes(version: number): number {
  return version >= FIRST_WIDE_VERSION ? 25 : 13;
}

function endOf(records: readonly StoredRecord[], start: number, header: number): number {
  return records.reduce((end, { bytes, headers }) => end + bytes + headers * header, start);
}

function storeRecord(record: FbxRecord, encode: EncodeText): StoredRecord {
  const { name, properties, types, records, hasEmptyList } = record;
  const values = properties.flatMap((value, k) => storeValue(types[k], value, encode));
  const nested = records.map((child) => storeRecord(child, encode));
  const hasList = nested.length > 0 || hasEmptyList === true;
  const encodedName = encode(name);
  if (encodedName.length > MAX_NAME_BYTES) {
    const message = `The name of a record has ${encodedName.length} bytes; binary FBX files have room for ${MAX_NAME_BYTES}. Write the file as text.`;
    throw new FormatError('FBX_LIMIT', message);
  }
  const valueBytes = values.reduce((sum, { length }) => sum + length, 0);
  return {
    name: encodedName,
    valueCount: properties.length,
    values,
    valueBytes,
    records: nested,
    hasList,
    bytes: nested.reduce((sum, { bytes }) => sum + bytes, encodedName.length + valueBytes),
    headers: nested.reduce((sum, { headers }) => sum + headers, hasList ? 2 : 1),
  };
}

function storeValue(type: string, value: FbxProperty, encode: EncodeText): Uint8Array[] {
  const code = type.charCodeAt(0);
  if (elementBytes(type) > 0) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return storeArray(code, new Uint8Array(buffer, byteOffset, byteLength));
  }
  if (type === 'S' || type === 'R') {
    const content = typeof value === 'string' ? encode(value) : (value as Uint8Array);
    const head = new Uint8Array(BLOCK_HEAD);
    head[0] = code;
    new DataView(head.buffer).setUint32(1, content.length, true);
    return [head, content];
  }
  const out = new Uint8Array(1 + scalarBytes(type));
  out[0] = code;
  setScalar(new DataView(out.buffer), type, value);
  return [out];
}

function setScalar(view: DataView, type: string, value: FbxProperty): void {
  switch (type) {
    case 'Y':
      view.setInt16(1, Number(value), true);
      break;
    case 'I':
      view.setInt32(1, Number(value), true);
      break;
    case 'L':
      view.setBigInt64(1, BigInt(value as number | bigint), true);
      break;
    case 'F':
      view.setFloat32(1, Number(value), true);
      break;
    case 'D':
      view.setFloat64(1, Number(value), true);
      break;
    default:
      view.setInt8(1, typeof value === 'string' ? value.charCodeAt(0) : Number(value));
  }
}

function storeArray(code: number, plain: Uint8Array): Uint8Array[] {
  const isDeflated = plain.length > MAX_PLAIN_BYTES;
  const stored = isDeflated ? zlibSync(plain, { level: LEVEL }) : plain;
  const head = new Uint8Array(ARRAY_HEAD);
  const view = new DataView(head.buffer);
  head[0] = code;
  view.setUint32(1, plain.length / elementBytes(String.fromCharCode(code)), true);
  view.setUint32(5, isDeflated ? 1 : 0, true);
  view.setUint32(9, stored.length, true);
  return [head, stored];
}

/** Collects the bytes of a file, in order. Large pieces stay on their own. */
class PartWriter {
  private readonly parts: Uint8Array[] = [];
  private part = new Uint8Array(PART_BYTES);
  private filled = 0;

  write(bytes: Uint8Array): void {
    if (this.filled + bytes.length > PART_BYTES) this.flush();
    if (bytes.length > PART_BYTES) {
      this.parts.push(bytes);
      return;
    }
    this.part.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  finish(): Uint8Array[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    if (this.filled === 0) return;
    this.parts.push(this.part.subarray(0, this.filled));
    this.part = new Uint8Array(PART_BYTES);
    this.filled = 0;
  }
}

function fileHeader(version: number): Uint8Array {
  const out = new Uint8Array(FIRST_RECORD_AT);
  new TextEncoder().encodeInto(MAGIC, out);
  new DataView(out.buffer).setUint32(VERSION_AT, version, true);
  return out;
}

/** Writes records and returns the byte offset after them. */
function writeRecords(out: PartWriter, records: readonly StoredRecord[], start: number, header: number): number {
  let at = start;
  for (const { name, valueCount, values, valueBytes, records: nested, hasList, bytes, headers } of records) {
    const end = at + bytes + headers * header;
    out.write(recordHeader(header, end, valueCount, valueBytes, name.length));
    out.write(name);
    for (const value of values) out.write(value);
    writeRecords(out, nested, at + header + name.length + valueBytes, header);
    if (hasList) out.write(new Uint8Array(header));
    at = end;
  }
  return at;
}

function recordHeader(header: number, end: number, count: number, valueBytes: number, nameBytes: number): Uint8Array {
  const out = new Uint8Array(header);
  const view = new DataView(out.buffer);
  const width = (header - 1) / 3;
  [end, count, valueBytes].forEach((value, k) => {
    view.setUint32(k * width, value % 2 ** 32, true);
    if (width === 8) view.setUint32(k * width + 4, Math.floor(value / 2 ** 32), true);
  });
  out[header - 1] = nameBytes;
  return out;
}

function footer(version: number, id: Uint8Array, start: number): Uint8Array {
  // 1 to 16 zeros, never none.
  const zeros = ALIGNMENT - ((start + id.length) % ALIGNMENT);
  const versionAt = id.length + zeros + 4;
  const out = new Uint8Array(versionAt + 4 + FOOTER_ZEROS + FOOTER_MAGIC.length);
  out.set(id);
  new DataView(out.buffer).setUint32(versionAt, version, true);
  out.set(FOOTER_MAGIC, out.length - FOOTER_MAGIC.length);
  return out;
}
