/** The GLB container: a 12-byte header, then chunks. glTF 2.0 section 4. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const HEADER_LENGTH = 12;
const CHUNK_HEADER_LENGTH = 8;
/** Largest file size that fits the 32-bit length of the header, in bytes. */
const MAX_LENGTH = 0xffffffff;

/** A chunk of a type that glTF does not define. */
export interface GlbChunk {
  /** Four ASCII letters, little endian. */
  readonly type: number;
  /** Content with its padding. */
  readonly bytes: Uint8Array;
}

/** The chunks of a GLB. Byte arrays are views into the file, not copies. */
export interface Glb {
  /** Length in the header, in bytes. The file may be longer or shorter. */
  readonly declaredLength: number;
  /** The JSON chunk with its padding. */
  readonly json: Uint8Array;
  /** Byte offset of the JSON text in the file. */
  readonly jsonOffset: number;
  /** The BIN chunk with its padding; null in a GLB without one. */
  readonly bin: Uint8Array | null;
  /** Chunks of other types, in order. */
  readonly others: readonly GlbChunk[];
  /** Bytes of the file after the last chunk. */
  readonly trailing: Uint8Array;
  /** GLB_LENGTH_MISMATCH, GLB_ALIGNMENT. */
  readonly issues: readonly Issue[];
}

/**
 * Tests whether bytes start with the magic number of GLB.
 *
 * @param bytes First bytes of a file.
 * @returns True for `glTF` in ASCII.
 */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
}

/**
 * Splits a GLB into its chunks. A wrong length in the header is reported as an issue if the chunks themselves fit the
 * file.
 *
 * @param bytes The file; any alignment.
 * @returns Chunks as views into `bytes`.
 * @throws FormatError GLB_HEADER_INVALID or GLB_CHUNK_INVALID, with the byte offset.
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
    // Fewer than 4 bytes after an unaligned chunk are padding that the chunk's length does not include.
    if (index > 0 && offset % 4 !== 0 && end - offset < 4) break;
    if (bytes.length - offset < CHUNK_HEADER_LENGTH) {
      throw chunkError(offset, `the file ends inside the header of chunk ${index}; it is cut off`);
    }
    const length = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    const start = offset + CHUNK_HEADER_LENGTH;
    if (length > bytes.length - start) {
      throw chunkError(
        offset,
        `chunk ${index} declares ${length} bytes, but the file has only ${bytes.length - start} more; it is cut off`,
      );
    }
    if (start + length > end) {
      // The declared file length ends inside this chunk, but the chunk is complete: the declared length is wrong.
      issues.push(lengthMismatch(declaredLength, bytes.length));
      end = bytes.length;
    }
    const content = bytes.subarray(start, start + length);
    if (index === 0) {
      if (type !== JSON_CHUNK)
        throw chunkError(offset, `the first chunk has type ${typeName(type)}, but it must be JSON`);
      json = content;
    } else if (type === JSON_CHUNK) {
      throw chunkError(offset, `chunk ${index} is a second JSON chunk, but only one is allowed`);
    } else if (type === BIN_CHUNK) {
      if (index !== 1)
        throw chunkError(offset, `chunk ${index} is a BIN chunk, which is only allowed as the second chunk`);
      bin = content;
    } else {
      others.push({ type, bytes: content });
    }
    if (length % 4 !== 0) {
      const message = `Chunk ${index} is ${length} bytes long, but chunk lengths must be multiples of 4; it was read anyway`;
      issues.push(issue('GLB_ALIGNMENT', message, { offset }));
    }
    offset = start + length;
  }
  if (json === null) throw chunkError(HEADER_LENGTH, 'the file has no JSON chunk, which is required');
  const jsonOffset = HEADER_LENGTH + CHUNK_HEADER_LENGTH;
  return { declaredLength, json, jsonOffset, bin, others, trailing: bytes.subarray(offset), issues };
}

function parseHeader(view: DataView): number {
  if (view.byteLength < HEADER_LENGTH) {
    const message = `The file has ${view.byteLength} bytes, but a GLB starts with a header of 12 bytes; it is cut off`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: view.byteLength });
  }
  if (view.getUint32(0, true) !== MAGIC) {
    throw new FormatError('GLB_HEADER_INVALID', 'The file does not start with the letters "glTF", so it is not a GLB', {
      offset: 0,
    });
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    const message = `The GLB has version ${version}, but only version 2 (glTF 2.0) is supported; convert the file to glTF 2.0 first`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: 4 });
  }
  const length = view.getUint32(8, true);
  if (length < HEADER_LENGTH + CHUNK_HEADER_LENGTH) {
    const message = `The GLB header declares a file length of ${length} bytes, but a GLB has at least 20; the file is damaged`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: 8 });
  }
  return length;
}

function lengthMismatch(declared: number, actual: number): Issue {
  const message = `The GLB header declares ${declared} bytes, but the file has ${actual}; the chunks are complete and were read`;
  return issue('GLB_LENGTH_MISMATCH', message, { offset: 8 });
}

function chunkError(offset: number, reason: string): FormatError {
  return new FormatError('GLB_CHUNK_INVALID', `The GLB cannot be read: ${reason}`, { offset });
}

function typeName(type: number): string {
  return `0x${type.toString(16).padStart(8, '0')}`;
}

/** Input of {@link serializeGlb}. */
export interface GlbContent {
  /** UTF-8 JSON; `serializeGlb` pads it with spaces. */
  readonly json: Uint8Array;
  /** The BIN chunk in pieces; `serializeGlb` pads it with zeros. Null writes no BIN chunk. */
  readonly bin: readonly Uint8Array[] | null;
  /** Chunks of other types, written after BIN. */
  readonly others: readonly GlbChunk[];
  /** Bytes to write after the last chunk; the length in the header excludes them. */
  readonly trailing: Uint8Array;
}

/**
 * Serializes a GLB as a list of parts. The pieces of the content are not copied.
 *
 * @param content Chunks.
 * @returns Parts to write one after the other, or to join with {@link concatParts}.
 * @throws FormatError GLTF_LIMIT when the result is longer than 4 GiB.
 */
export function serializeGlb(content: GlbContent): Uint8Array[] {
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
  if (length > MAX_LENGTH) {
    const message = `The GLB would be ${length} bytes long, but the limit of the format is ${MAX_LENGTH}; write a .gltf instead`;
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
  view.setUint32(0, Math.min(length, MAX_LENGTH), true);
  view.setUint32(4, type, true);
  return header;
}

/**
 * Returns the number of padding bytes up to the next multiple of 4.
 *
 * @param length Length in bytes.
 * @returns 0 to 3.
 */
export function padding(length: number): number {
  return -length & 3;
}

/**
 * Returns the total length of parts.
 *
 * @param parts Byte arrays.
 * @returns Total length in bytes.
 */
export function totalLength(parts: readonly Uint8Array[]): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/**
 * Joins parts into one array.
 *
 * @param parts Byte arrays.
 * @returns A new array; a single part is returned itself.
 */
export function concatParts(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = allocate(totalLength(parts));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Allocates memory that the caller overwrites completely. Node can skip zeroing it, which would cost as much as the copy. */
function allocate(length: number): Uint8Array {
  if (typeof Buffer === 'undefined') return new Uint8Array(length);
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
