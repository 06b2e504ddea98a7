/** The GLB container: a 12-byte header, then chunks. glTF 2.0 section 4. Version 3 is in glb3.ts. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import {
  BIN_CHUNK,
  chunkError,
  type Glb,
  type GlbChunk,
  JSON_CHUNK,
  lengthMismatch,
  MAGIC,
  typeName,
} from './glb-chunks.ts';
import { parseGlb3 } from './glb3.ts';
import { padding, totalLength } from './parts.ts';

export type { EncodedChunk, Glb, GlbChunk } from './glb-chunks.ts';
export { concatParts, padding, totalLength } from './parts.ts';

const HEADER_LENGTH = 12;
const CHUNK_HEADER_LENGTH = 8;
/** Largest file size that fits the 32-bit length of the header, in bytes. */
const MAX_LENGTH = 0xffffffff;

/** Tests whether bytes start with the magic number of GLB. `bytes`: first bytes of a file. Returns true for `glTF` in ASCII. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
}

/**
 * Splits a GLB of version 2, or of the draft of version 3, into its chunks. A wrong length in the header is reported as an issue if the chunks
 * themselves fit the file. `bytes` may have any alignment. Returns chunks as views into `bytes`. Throws FormatError GLB_HEADER_INVALID or
 * GLB_CHUNK_INVALID, with the byte offset.
 */
export function parseGlb(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (parseVersion(view) === 3) return parseGlb3(bytes);
  const declaredLength = parseLength(view);
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
  return { declaredLength, json, jsonOffset, bin, others, chunks: null, trailing: bytes.subarray(offset), issues };
}

/** Checks the first 12 bytes, which both versions have, and returns the version. */
function parseVersion(view: DataView): 2 | 3 {
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
  if (version === 2 || version === 3) return version;
  const message = `The GLB has version ${version}, but only version 2 (glTF 2.0) and the draft of version 3 are supported; convert the file to glTF 2.0 first`;
  throw new FormatError('GLB_HEADER_INVALID', message, { offset: 4 });
}

function parseLength(view: DataView): number {
  const length = view.getUint32(8, true);
  if (length < HEADER_LENGTH + CHUNK_HEADER_LENGTH) {
    const message = `The GLB header declares a file length of ${length} bytes, but a GLB has at least 20; the file is damaged`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: 8 });
  }
  return length;
}

interface GlbContent {
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
 * Serializes a GLB as a list of parts. The pieces of the content are not copied. Returns parts to write one after the other, or to join with
 * `concatParts`. Throws FormatError GLTF_LIMIT when the result is longer than 4 GiB.
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
