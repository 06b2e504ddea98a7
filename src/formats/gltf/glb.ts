/** The GLB container, glTF 2.0 section 4: a 12-byte header, then chunks. */
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const HEADER_LENGTH = 12;
const CHUNK_HEADER_LENGTH = 8;
/** Longest file that the 32-bit length of the header can name. */
const LONGEST = 0xffffffff;

/** A chunk of a type that glTF does not define. */
export interface GlbChunk {
  /** Four ASCII letters, little endian. */
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** The chunks of a GLB. Byte arrays are views of the file, not copies. */
export interface Glb {
  /** Length that the header names; the file may be longer or shorter. */
  readonly declaredLength: number;
  /** The JSON chunk with its padding. */
  readonly json: Uint8Array;
  /** Byte offset of the JSON text in the file. */
  readonly jsonOffset: number;
  /** The BIN chunk with its padding; null without one. */
  readonly bin: Uint8Array | null;
  /** Chunks after JSON and BIN, in order. */
  readonly others: readonly GlbChunk[];
  /** Bytes of the file after the last chunk. */
  readonly trailing: Uint8Array;
  readonly issues: readonly Issue[];
}

/** Whether bytes start with the magic number of GLB. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
}

/**
 * Splits a GLB into its chunks. `bytes` may start at any alignment. A length in the header that is not that of the file
 * is an issue while the chunks themselves fit. FormatError GLB_HEADER_INVALID or GLB_CHUNK_INVALID with the byte
 * offset.
 */
export function parseGlb(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declaredLength = parseHeader(view);
  const issues: Issue[] = [];
  if (declaredLength > bytes.length) {
    issues.push(lengthMismatch(declaredLength, bytes.length));
  }
  let end = Math.min(declaredLength, bytes.length);
  let offset = HEADER_LENGTH;
  let json: Uint8Array | null = null;
  let bin: Uint8Array | null = null;
  const others: GlbChunk[] = [];

  for (let index = 0; offset < end; index++) {
    // Less than a chunk header, behind a chunk that broke the alignment: padding that its length does not count.
    if (index > 0 && offset % 4 !== 0 && end - offset < 4) break;
    if (bytes.length - offset < CHUNK_HEADER_LENGTH) {
      throw chunkError(offset, `the file ends inside the header of chunk ${index}`);
    }
    const length = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    const start = offset + CHUNK_HEADER_LENGTH;
    if (length > bytes.length - start) {
      throw chunkError(
        offset,
        `chunk ${index} names ${length} bytes, but the file has only ${bytes.length - start} more`,
      );
    }
    if (start + length > end) {
      // The header's length cuts through this chunk, but the chunk is whole: the length is wrong.
      issues.push(lengthMismatch(declaredLength, bytes.length));
      end = bytes.length;
    }
    const content = bytes.subarray(start, start + length);
    if (index === 0) {
      if (type !== JSON_CHUNK) throw chunkError(offset, `the first chunk is ${typeName(type)}, it must be JSON`);
      json = content;
    } else if (type === JSON_CHUNK) {
      throw chunkError(offset, `chunk ${index} is a second JSON chunk, there may be one`);
    } else if (type === BIN_CHUNK) {
      if (index !== 1) throw chunkError(offset, `chunk ${index} is a BIN chunk, it may only stand second`);
      bin = content;
    } else {
      others.push({ type, bytes: content });
    }
    if (length % 4 !== 0) {
      const message = `Chunk ${index} is ${length} bytes long, which is not a multiple of 4; it was read as it is`;
      issues.push(issue('GLB_ALIGNMENT', message, { offset }));
    }
    offset = start + length;
  }
  if (json === null) throw chunkError(HEADER_LENGTH, 'there is no JSON chunk');
  const jsonOffset = HEADER_LENGTH + CHUNK_HEADER_LENGTH;
  return { declaredLength, json, jsonOffset, bin, others, trailing: bytes.subarray(offset), issues };
}

function parseHeader(view: DataView): number {
  if (view.byteLength < HEADER_LENGTH) {
    const message = `A GLB starts with a header of 12 bytes, this file has ${view.byteLength}; it is cut off`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: view.byteLength });
  }
  if (view.getUint32(0, true) !== MAGIC) {
    throw new FormatError('GLB_HEADER_INVALID', 'The file does not start with "glTF": it is not a GLB', { offset: 0 });
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    const message = `The GLB is of version ${version}, only version 2 (glTF 2.0) can be read; convert it first`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: 4 });
  }
  const length = view.getUint32(8, true);
  if (length < HEADER_LENGTH + CHUNK_HEADER_LENGTH) {
    const message = `The GLB header names ${length} bytes for the whole file, at least 20 are needed`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: 8 });
  }
  return length;
}

function lengthMismatch(declared: number, actual: number): Issue {
  const message = `The GLB header names ${declared} bytes, the file has ${actual}; its chunks fit and were read`;
  return issue('GLB_LENGTH_MISMATCH', message, { offset: 8 });
}

function chunkError(offset: number, reason: string): FormatError {
  return new FormatError('GLB_CHUNK_INVALID', `GLB chunks cannot be read: ${reason}`, { offset });
}

function typeName(type: number): string {
  return `0x${type.toString(16).padStart(8, '0')}`;
}

/** What a GLB is printed from. */
export interface GlbContent {
  /** UTF-8 JSON; padded with spaces here. */
  readonly json: Uint8Array;
  /** The BIN chunk in pieces, padded with zeros here; null writes none. */
  readonly bin: readonly Uint8Array[] | null;
  readonly others: readonly GlbChunk[];
  /** Bytes after the end that the header names. */
  readonly trailing: Uint8Array;
}

/**
 * Prints a GLB as a list of parts to be written one after the other; the pieces of the content are among them, not
 * copied. FormatError GLTF_LIMIT when the whole is longer than the 4 GiB that a GLB can name.
 */
export function printGlb(content: GlbContent): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const jsonPadding = padding(content.json.length);
  parts.push(content.json, new Uint8Array(jsonPadding).fill(0x20));
  const head = new Uint8Array(HEADER_LENGTH + CHUNK_HEADER_LENGTH);
  let length = head.length + content.json.length + jsonPadding;

  if (content.bin !== null) {
    const binLength = totalLength(content.bin);
    const binPadding = padding(binLength);
    parts.push(chunkHeader(BIN_CHUNK, binLength + binPadding), ...content.bin, new Uint8Array(binPadding));
    length += CHUNK_HEADER_LENGTH + binLength + binPadding;
  }
  for (const { type, bytes } of content.others) {
    parts.push(chunkHeader(type, bytes.length), bytes);
    length += CHUNK_HEADER_LENGTH + bytes.length;
  }
  if (length > LONGEST) {
    const message = `The GLB would be ${length} bytes long, at most ${LONGEST} are possible; write a .gltf instead`;
    throw new FormatError('GLTF_LIMIT', message);
  }
  const view = new DataView(head.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, length, true);
  view.setUint32(12, content.json.length + jsonPadding, true);
  view.setUint32(16, JSON_CHUNK, true);
  return [head, ...parts, content.trailing].filter((part) => part.length > 0);
}

function chunkHeader(type: number, length: number): Uint8Array {
  const header = new Uint8Array(CHUNK_HEADER_LENGTH);
  const view = new DataView(header.buffer);
  view.setUint32(0, Math.min(length, LONGEST), true);
  view.setUint32(4, type, true);
  return header;
}

/** Bytes missing to the next multiple of 4. */
export function padding(length: number): number {
  return -length & 3;
}

/** Bytes of all parts together. */
export function totalLength(parts: readonly Uint8Array[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/** All parts in one array; a single part is returned as it is. */
export function concatParts(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = unfilled(totalLength(parts));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Memory that will be written all over. Node can leave out the zeros, which would cost as much as the copy itself. */
function unfilled(length: number): Uint8Array {
  if (typeof Buffer === 'undefined') return new Uint8Array(length);
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
