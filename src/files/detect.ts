/** Detection of formats by content. File extensions are ignored, because they are often wrong. */
import { FormatError } from '../core/report/format-error.ts';
import { type FileFormat, type FileStart, SIGNATURES } from './adapters/signatures.ts';
import { type ForeignFile, recognizeForeignFile, recognizeForeignJson } from './foreign-formats.ts';
import type { OpenFile } from './open-file.ts';

/** Names of the character formats that can be read, for messages and help. */
export const CHARACTER_FORMATS: readonly string[] = Object.values(SIGNATURES).flatMap(({ characters }) => characters);
/** Names of the motion formats that can be read, for messages and help. */
export const MOTION_FORMATS: readonly string[] = Object.values(SIGNATURES).flatMap(({ motions }) => motions);

/** Usual extensions of the files that can be read, in lower case with a dot. */
export const INPUT_EXTENSIONS: readonly string[] = Object.values(SIGNATURES).flatMap(({ extensions }) => extensions);

/** Joins names for a sentence: `GLB, glTF and VRM`. */
export function listFormats(names: readonly string[], word: 'and' | 'or'): string {
  return `${names.slice(0, -1).join(', ')} ${word} ${names[names.length - 1]}`;
}

/** Number of bytes that detection looks at: enough for a license comment before the first word. */
const HEAD = 4096;

function latin1Of(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD));
}

/** Decodes the first characters as UTF-8, or as UTF-16 after a byte order mark; leading white space is removed. */
function textOf(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(utf16).decode(bytes.subarray(0, HEAD)).trimStart();
}

function describeBytes(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 16);
  if (head.every((byte) => byte >= 0x20 && byte < 0x7f)) return JSON.stringify(latin1Of(head));
  return `the bytes ${Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}

function foreignError({ name, advice }: ForeignFile): FormatError {
  return new FormatError('FORMAT_UNKNOWN', `The file is ${name}; ${advice}`);
}

/**
 * Detects format and container of a file. `bytes`: the file, or at least its first 4096 bytes. Throws FormatError `FORMAT_UNKNOWN` for other
 * formats; the message says what the file is, or which formats are known. Returns `format`: the format whose adapter opens the file; `container`: glTF has two.
 */
export function detectAdapter(bytes: Uint8Array, name?: string): { format: OpenFile['format']; container: FileFormat } {
  if (bytes.length === 0) throw new FormatError('FORMAT_UNKNOWN', 'The file is empty', { offset: 0 });
  const start: FileStart = { latin1: latin1Of(bytes), text: textOf(bytes) };
  const json = recognizeForeignJson(start);
  if (json !== null) throw foreignError(json);
  for (const format of Object.keys(SIGNATURES) as OpenFile['format'][]) {
    const container = SIGNATURES[format].detect(start);
    if (container !== null) return { format, container };
  }
  const foreign = recognizeForeignFile(start, name);
  if (foreign !== null) throw foreignError(foreign);
  const formats = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'and');
  const message = `The file starts with ${describeBytes(bytes)}, an unknown format; anyrig reads ${formats}`;
  throw new FormatError('FORMAT_UNKNOWN', message, { offset: 0 });
}

/**
 * Detects the container format of a file by its first bytes. `bytes`: the file, or at least its first 4096 bytes. Throws FormatError
 * `FORMAT_UNKNOWN` for other formats; the message says what the file is, or which formats are known.
 */
export function detectFormat(bytes: Uint8Array): FileFormat {
  return detectAdapter(bytes).container;
}
