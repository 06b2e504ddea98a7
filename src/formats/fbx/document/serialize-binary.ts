import { zlibSync } from 'fflate';
import { FormatError } from '../../../core/report/format-error.ts';
import {
  elementBytes,
  FIRST_RECORD_AT,
  FIRST_WIDE_VERSION,
  FOOTER_MAGIC,
  FOOTER_ZEROS,
  MAGIC,
  scalarBytes,
  VERSION_AT,
} from './binary-layout.ts';
import { type BinaryTree, binaryTree } from './binary-tree.ts';
import type { FbxProperty, FbxRecord, FbxTree } from './fbx-tree.ts';

/** Arrays of more bytes are stored as zlib streams of level 1: the level of the FBX SDK, from the size on from which Blender does. */
const MAX_PLAIN_BYTES = 128;
const LEVEL = 1;
/** Bytes of an array before its elements: type code, number of elements, encoding, stored bytes. */
const ARRAY_HEAD = 13;
/** Bytes of a string or block before its content: type code and length. */
const BLOCK_HEAD = 5;
const ALIGNMENT = 16;
const MAX_NAME_BYTES = 255;
const MAX_NARROW_OFFSET = 2 ** 32 - 1;
/** Small pieces of the file are joined up to this size. */
const PART_BYTES = 1 << 16;

/**
 * Serializes an FBX tree as a binary file: the inverse of `parseBinaryFbx`. The tree of a text file is converted. Large arrays are deflated.
 * Versions from 7.5 on have offsets of 64 bits; a file of an older version that is too large for 32 bits becomes 7.5. Returns the file in pieces,
 * in order. Throws FormatError `FBX_LIMIT` for a record whose name is too long.
 */
export function serializeBinaryFbx(tree: FbxTree): Uint8Array[] {
  const binary = binaryTree(tree);
  const out = writeFile(binary, tree.version);
  const isTooLong = tree.version < FIRST_WIDE_VERSION && out.length > MAX_NARROW_OFFSET;
  return (isTooLong ? writeFile(binary, FIRST_WIDE_VERSION) : out).finish();
}

function writeFile({ records, legacyBytes, footerId }: BinaryTree, version: number): ByteWriter {
  const out = new ByteWriter(legacyBytes);
  out.write(fileHeader(version));
  // Offsets of 32 bits, or of 64 bits, then the length of the name.
  const header = version >= FIRST_WIDE_VERSION ? 25 : 13;
  const end = new Uint8Array(header);
  for (const record of records) writeRecord(out, record, end);
  out.write(end);
  out.write(footer(version, footerId, out.length));
  return out;
}

interface Place {
  readonly view: DataView;
  /** Offset of its first byte in the view. */
  readonly at: number;
}

/** Collects the bytes of a file, in order. Large pieces stay on their own. */
class ByteWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly encoder = new TextEncoder();
  /** Bytes of texts that are not in UTF-8. */
  private readonly legacyBytes: FbxTree['legacyBytes'];
  private part = new Uint8Array(PART_BYTES);
  private view = new DataView(this.part.buffer);
  /** Offset in the part of what is not among the parts yet, and of its end. */
  private start = 0;
  private end = 0;
  private before = 0;

  constructor(legacyBytes: FbxTree['legacyBytes']) {
    this.legacyBytes = legacyBytes;
  }

  get length(): number {
    return this.before + this.end - this.start;
  }

  reserve(bytes: number): Place {
    if (this.end + bytes > PART_BYTES) {
      this.flush();
      this.part = new Uint8Array(PART_BYTES);
      this.view = new DataView(this.part.buffer);
      [this.start, this.end] = [0, 0];
    }
    const place = { view: this.view, at: this.end };
    this.end += bytes;
    return place;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > PART_BYTES) {
      this.flush();
      this.parts.push(bytes);
      this.before += bytes.length;
      return;
    }
    const { at } = this.reserve(bytes.length);
    this.part.set(bytes, at);
  }

  /** Encodes text as UTF-8, or as in the source file. Most texts are short and ASCII: those are written without a copy. */
  encode(text: string): string | Uint8Array {
    const isPlain = text.length <= PART_BYTES && /^[\0-\x7f]*$/.test(text);
    return this.legacyBytes?.get(text) ?? (isPlain ? text : this.encoder.encode(text));
  }

  writeEncoded(text: string | Uint8Array): void {
    if (typeof text !== 'string') {
      this.write(text);
      return;
    }
    const { at } = this.reserve(text.length);
    for (let i = 0; i < text.length; i++) this.part[at + i] = text.charCodeAt(i);
  }

  finish(): Uint8Array[] {
    this.flush();
    return this.parts;
  }

  private flush(): void {
    if (this.end > this.start) this.parts.push(this.part.subarray(this.start, this.end));
    this.before = this.length;
    this.start = this.end;
  }
}

/** Writes a record with its children. `end` is a record of zeros, which ends a list of records. */
function writeRecord(out: ByteWriter, record: FbxRecord, end: Uint8Array): void {
  const { properties, types, records } = record;
  const name = out.encode(record.name);
  if (name.length > MAX_NAME_BYTES) {
    const message = `The name of a record has ${name.length} bytes; binary FBX files have room for ${MAX_NAME_BYTES}. Write the file as text.`;
    throw new FormatError('FBX_LIMIT', message);
  }
  const place = out.reserve(end.length);
  out.writeEncoded(name);
  const start = out.length;
  for (const [k, value] of properties.entries()) writeValue(out, types[k], value);
  const valueBytes = out.length - start;
  for (const nested of records) writeRecord(out, nested, end);
  if (records.length > 0 || record.hasEmptyList === true) out.write(end);
  setHeader(place, end.length, [out.length, properties.length, valueBytes], name.length);
}

function setHeader({ view, at }: Place, header: number, numbers: readonly number[], nameBytes: number): void {
  const width = (header - 1) / 3;
  for (const [k, value] of numbers.entries()) {
    view.setUint32(at + k * width, value % 2 ** 32, true);
    if (width === 8) view.setUint32(at + k * width + 4, Math.floor(value / 2 ** 32), true);
  }
  view.setUint8(at + header - 1, nameBytes);
}

function writeValue(out: ByteWriter, type: string, value: FbxProperty): void {
  const code = type.charCodeAt(0);
  if (elementBytes(type) > 0) {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    writeArray(out, code, new Uint8Array(buffer, byteOffset, byteLength));
    return;
  }
  if (type === 'S' || type === 'R') {
    const content = typeof value === 'string' ? out.encode(value) : (value as Uint8Array);
    const { view, at } = out.reserve(BLOCK_HEAD);
    view.setUint8(at, code);
    view.setUint32(at + 1, content.length, true);
    out.writeEncoded(content);
    return;
  }
  const { view, at } = out.reserve(1 + scalarBytes(type));
  view.setUint8(at, code);
  setScalar(view, at + 1, type, value);
}

function setScalar(view: DataView, at: number, type: string, value: FbxProperty): void {
  switch (type) {
    case 'Y':
      view.setInt16(at, Number(value), true);
      break;
    case 'I':
      view.setInt32(at, Number(value), true);
      break;
    case 'L':
      view.setBigInt64(at, BigInt(value as number | bigint), true);
      break;
    case 'F':
      view.setFloat32(at, Number(value), true);
      break;
    case 'D':
      view.setFloat64(at, Number(value), true);
      break;
    default:
      view.setInt8(at, typeof value === 'string' ? value.charCodeAt(0) : Number(value));
  }
}

function writeArray(out: ByteWriter, code: number, plain: Uint8Array): void {
  const isDeflated = plain.length > MAX_PLAIN_BYTES;
  const stored = isDeflated ? zlibSync(plain, { level: LEVEL }) : plain;
  const { view, at } = out.reserve(ARRAY_HEAD);
  view.setUint8(at, code);
  view.setUint32(at + 1, plain.length / elementBytes(String.fromCharCode(code)), true);
  view.setUint32(at + 5, isDeflated ? 1 : 0, true);
  view.setUint32(at + 9, stored.length, true);
  out.write(stored);
}

function fileHeader(version: number): Uint8Array {
  const out = new Uint8Array(FIRST_RECORD_AT);
  new TextEncoder().encodeInto(MAGIC, out);
  new DataView(out.buffer).setUint32(VERSION_AT, version, true);
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
