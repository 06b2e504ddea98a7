import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';

/** `glTF` in ASCII, little endian. */
export const MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BIN_CHUNK = 0x004e4942;

/** A chunk of a type that glTF does not define. */
export interface GlbChunk {
  /** Four ASCII letters, little endian. */
  readonly type: number;
  /** Content with its padding. */
  readonly bytes: Uint8Array;
}

/** A chunk of a GLB of version 3. */
export interface EncodedChunk extends GlbChunk {
  /** 0 for plain bytes; other encodings are left to extensions. */
  readonly encoding: number;
}

/** The chunks of a GLB. Byte arrays are views into the file, not copies. */
export interface Glb {
  /** Length in the header, in bytes. The file may be longer or shorter. */
  readonly declaredLength: number;
  /** The JSON chunk with its padding. */
  readonly json: Uint8Array;
  /** Byte offset of the JSON text in the file. */
  readonly jsonOffset: number;
  /** The BIN chunk that buffer 0 may use without naming it, with its padding; null in a GLB without one. */
  readonly bin: Uint8Array | null;
  /** Chunks of other types, in order. */
  readonly others: readonly GlbChunk[];
  /** All chunks in the order of the file, for a GLB of version 3 (glTF 2.1 draft); null for version 2. */
  readonly chunks: readonly EncodedChunk[] | null;
  /** Bytes of the file after the last chunk. */
  readonly trailing: Uint8Array;
  /** GLB_LENGTH_MISMATCH, GLB_ALIGNMENT. */
  readonly issues: readonly Issue[];
}

/** Creates the issue for a wrong length in the header. `declared`: length in the header, in bytes. `actual`: length of the file, in bytes. */
export function lengthMismatch(declared: number, actual: number): Issue {
  const message = `The GLB header declares ${declared} bytes, but the file has ${actual}; the chunks are complete and were read`;
  return issue('GLB_LENGTH_MISMATCH', message, { offset: 8 });
}

export function chunkError(offset: number, reason: string): FormatError {
  return new FormatError('GLB_CHUNK_INVALID', `The GLB cannot be read: ${reason}`, { offset });
}

export function typeName(type: number): string {
  return `0x${type.toString(16).padStart(8, '0')}`;
}
