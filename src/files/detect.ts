/** Detection of formats by content. File extensions are ignored, because they are often wrong. */
import { FormatError } from '../core/report/format-error.ts';
import { type FileFormat, type FileStart, SIGNATURES } from './adapters/signatures.ts';
import type { OpenFile } from './open-file.ts';

/** Names of the character formats that can be read, for messages and help. */
export const CHARACTER_FORMATS: readonly string[] = Object.values(SIGNATURES).flatMap(({ characters }) => characters);
/** Names of the motion formats that can be read, for messages and help. */
export const MOTION_FORMATS: readonly string[] = Object.values(SIGNATURES).flatMap(({ motions }) => motions);

/**
 * Joins names for a sentence: `GLB, glTF and VRM`.
 *
 * @param names Two or more names.
 * @param word Word before the last name.
 * @returns The joined names.
 */
export function listFormats(names: readonly string[], word: 'and' | 'or'): string {
  return `${names.slice(0, -1).join(', ')} ${word} ${names[names.length - 1]}`;
}

/** Number of bytes that detection looks at: enough for a license comment before the first word. */
const HEAD = 4096;

/** A format that anyrig recognizes but cannot read. */
interface UnsupportedFormat {
  readonly name: string;
  readonly begins: string | RegExp;
  readonly advice: string;
}

/** Formats that users are likely to try. `begins` is matched against the first bytes as Latin-1. */
const UNSUPPORTED: readonly UnsupportedFormat[] = [
  {
    name: 'a ZIP archive, but not a USDZ, because its first file is not a USD layer',
    begins: 'PK\x03\x04',
    advice: 'unpack it first',
  },
  { name: 'a gzip archive', begins: '\x1f\x8b', advice: 'unpack it first' },
  {
    name: 'COLLADA or other XML',
    begins: /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|COLLADA)/i,
    advice: 'convert it to GLB first',
  },
  {
    name: 'an HTML page',
    begins: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i,
    advice: 'download the file itself',
  },
  {
    name: 'a Git LFS pointer',
    begins: 'version https://git-lfs',
    advice: 'fetch the file itself with "git lfs pull"',
  },
  { name: 'a Blender file', begins: 'BLENDER', advice: 'export it from Blender as GLB' },
  { name: 'an MMD model (PMX, PMD)', begins: /^(?:PMX |Pmd)/, advice: 'convert it to VRM or GLB first' },
  { name: 'an MMD motion (VMD)', begins: 'Vocaloid Motion Data', advice: 'convert it to GLB or BVH first' },
];

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

/** A detected format. */
export interface DetectedFormat {
  /** The format whose adapter opens the file. */
  readonly format: OpenFile['format'];
  /** The container: glTF has two. */
  readonly container: FileFormat;
}

/**
 * Detects format and container of a file.
 *
 * @param bytes The file, or at least its first 4096 bytes.
 * @returns Format and container.
 * @throws FormatError `FORMAT_UNKNOWN` for other formats; the message names those that are known.
 */
export function detectAdapter(bytes: Uint8Array): DetectedFormat {
  if (bytes.length === 0) throw new FormatError('FORMAT_UNKNOWN', 'The file is empty', { offset: 0 });
  const start: FileStart = { latin1: latin1Of(bytes), text: textOf(bytes) };
  for (const format of Object.keys(SIGNATURES) as OpenFile['format'][]) {
    const container = SIGNATURES[format].detect(start);
    if (container !== null) return { format, container };
  }
  const found = UNSUPPORTED.find(({ begins }) =>
    typeof begins === 'string' ? start.latin1.startsWith(begins) : begins.test(start.latin1),
  );
  if (found !== undefined) {
    throw new FormatError('FORMAT_UNKNOWN', `The file is ${found.name}; ${found.advice}`, { offset: 0 });
  }
  const formats = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'and');
  const message = `The file starts with ${describeBytes(bytes)}, an unknown format; anyrig reads ${formats}`;
  throw new FormatError('FORMAT_UNKNOWN', message, { offset: 0 });
}

/**
 * Detects the container format of a file by its first bytes.
 *
 * @param bytes The file, or at least its first 4096 bytes.
 * @returns The container.
 * @throws FormatError `FORMAT_UNKNOWN` for other formats; the message names those that are known.
 */
export function detectFormat(bytes: Uint8Array): FileFormat {
  return detectAdapter(bytes).container;
}
