/**
 * Version 3 of the GLB container, from the draft of glTF 2.1 (KhronosGroup/glTF pull request 2628): lengths of 64 bits, any number
 * of BIN chunks, chunks in any order. The start of each chunk is a multiple of 8 bytes.
 */
import { FormatError } from '../../../core/report/format-error.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { BIN_CHUNK, chunkError, type EncodedChunk, type Glb, JSON_CHUNK, lengthMismatch, MAGIC } from './glb-chunks.ts';
import { totalLength } from './parts.ts';

/** Bytes of the file header: magic, version, length. */
const HEADER_LENGTH = 16;
const CHUNK_HEADER_LENGTH = 16;
/** Chunks start at multiples of this number of bytes. */
const ALIGNMENT = 8;

/** Returns the multiple of 8 at or after an offset. Offsets may be larger than 32 bits. */
function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** Reads an unsigned integer of 64 bits; null above 2^53 − 1, which no file in memory reaches. */
function readLength(view: DataView, offset: number): number | null {
  const length = view.getUint32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true);
  return Number.isSafeInteger(length) ? length : null;
}

/**
 * Splits a GLB of version 3 into its chunks. A wrong length in the header is reported as an issue if the chunks themselves fit the file. Returns
 * chunks as views into `bytes`. Throws FormatError GLB_HEADER_INVALID or GLB_CHUNK_INVALID, with the byte offset.
 */
export function parseGlb3(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declaredLength = parseLength(view);
  const issues: Issue[] = [];
  if (declaredLength > bytes.length) issues.push(lengthMismatch(declaredLength, bytes.length));
  let end = Math.min(declaredLength, bytes.length);
  const chunks: EncodedChunk[] = [];
  let jsonIndex = -1;
  let jsonOffset = 0;
  let chunkEnd = HEADER_LENGTH;
  for (let offset = HEADER_LENGTH; offset < end; offset = aligned(chunkEnd)) {
    const { chunk, start } = parseChunk(bytes, view, offset, chunks.length);
    chunkEnd = start + chunk.bytes.length;
    if (chunkEnd > end) {
      // The declared file length ends inside this chunk, but the chunk is complete: the declared length is wrong.
      issues.push(lengthMismatch(declaredLength, bytes.length));
      end = bytes.length;
    }
    if (chunk.type === JSON_CHUNK && jsonIndex < 0) {
      jsonIndex = chunks.length;
      jsonOffset = start;
      if (chunk.encoding !== 0) {
        throw chunkError(offset, `its JSON has encoding ${chunk.encoding}, but only 0 (plain bytes) is supported`);
      }
    }
    chunks.push(chunk);
  }
  if (jsonIndex < 0) throw chunkError(HEADER_LENGTH, 'the file has no JSON chunk, which is required');
  const second = chunks[1];
  const hasBin = jsonIndex === 0 && second?.type === BIN_CHUNK && second.encoding === 0;
  return {
    declaredLength,
    json: chunks[jsonIndex].bytes,
    jsonOffset,
    bin: hasBin ? second.bytes : null,
    others: chunks.filter(({ type }) => type !== JSON_CHUNK && type !== BIN_CHUNK),
    chunks,
    // Padding after the last chunk belongs to it where the declared length includes it.
    trailing: bytes.subarray(Math.min(Math.max(chunkEnd, end), bytes.length)),
    issues,
  };
}

function parseLength(view: DataView): number {
  if (view.byteLength < HEADER_LENGTH) {
    const message = `The file has ${view.byteLength} bytes, but a GLB of version 3 starts with a header of ${HEADER_LENGTH} bytes; it is cut off`;
    throw new FormatError('GLB_HEADER_INVALID', message, { offset: view.byteLength });
  }
  const length = readLength(view, 8);
  const least = HEADER_LENGTH + CHUNK_HEADER_LENGTH;
  if (length !== null && length >= least) return length;
  const found = length === null ? 'more than 2^53 bytes' : `${length} bytes`;
  const message = `The GLB header declares a file length of ${found}, but expected are ${least} to 2^53; the file is damaged`;
  throw new FormatError('GLB_HEADER_INVALID', message, { offset: 8 });
}

function parseChunk(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  index: number,
): { chunk: EncodedChunk; start: number } {
  const start = offset + CHUNK_HEADER_LENGTH;
  if (start > bytes.length)
    throw chunkError(offset, `the file ends inside the header of chunk ${index}; it is cut off`);
  const length = readLength(view, offset + 8);
  if (length === null || length > bytes.length - start) {
    const declared = length === null ? 'more than 2^53' : String(length);
    const left = bytes.length - start;
    throw chunkError(
      offset,
      `chunk ${index} declares ${declared} bytes, but the file has only ${left} more; it is cut off`,
    );
  }
  const type = view.getUint32(offset, true);
  const encoding = view.getUint32(offset + 4, true);
  return { chunk: { type, encoding, bytes: bytes.subarray(start, start + length) }, start };
}

interface NewChunk {
  /** Four ASCII letters, little endian. */
  readonly type: number;
  /** 0 for plain bytes. */
  readonly encoding: number;
  readonly parts: readonly Uint8Array[];
}

function setLength(view: DataView, offset: number, length: number): void {
  view.setUint32(offset, length % 2 ** 32, true);
  view.setUint32(offset + 4, Math.floor(length / 2 ** 32), true);
}

/**
 * Serializes a GLB of version 3 as a list of parts. The pieces of the chunks are not copied. Zeros between chunks align each to a multiple of 8
 * bytes. `trailing`: bytes after the last chunk; the length in the header excludes them.
 */
export function serializeGlb3(chunks: readonly NewChunk[], trailing: Uint8Array): Uint8Array[] {
  const header = new Uint8Array(HEADER_LENGTH);
  const written: Uint8Array[] = [];
  let length = HEADER_LENGTH;
  for (const { type, encoding, parts } of chunks) {
    const chunkHeader = new Uint8Array(CHUNK_HEADER_LENGTH);
    const view = new DataView(chunkHeader.buffer);
    const size = totalLength(parts);
    view.setUint32(0, type, true);
    view.setUint32(4, encoding, true);
    setLength(view, 8, size);
    const gap = aligned(size) - size;
    written.push(chunkHeader, ...parts, new Uint8Array(gap));
    length += CHUNK_HEADER_LENGTH + size + gap;
  }
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 3, true);
  setLength(view, 8, length);
  return [header, ...written, trailing].filter((part) => part.length > 0);
}
