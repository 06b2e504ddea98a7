/** Telling formats by their content: extensions of names are a habit, the first bytes are not. */
import { FormatError } from '../core/report/format-error.ts';

/** Formats that are read. `.vrm` and `.vrma` are GLB; what they declare is found when the document is read. USD is text, binary or a package. */
export type FileFormat = 'glb' | 'gltf' | 'bvh' | 'fbx' | 'usd';

/** Names of the formats that are read, for messages and help: those of characters, and those of motions alone. */
export const CHARACTER_FORMATS: readonly string[] = ['GLB', 'glTF', 'VRM', 'FBX', 'USD'];
export const MOTION_FORMATS: readonly string[] = ['VRMA', 'BVH'];

/** Names in a row, the last after a word: `GLB, glTF and VRM`. */
export function listFormats(names: readonly string[], word: 'and' | 'or'): string {
  return `${names.slice(0, -1).join(', ')} ${word} ${names[names.length - 1]}`;
}

/** Bytes that are looked at: enough for a license comment above the first word. */
const HEAD = 4096;

interface Signature {
  readonly name: string;
  readonly begins: string | RegExp;
  /** What to do about it. */
  readonly advice: string;
}

/** FBX texts begin with a comment that says so, or with the record that is always the first. */
const FBX_TEXT = /^(?:;[^\n\r]*[\n\r]\s*)*(?:;\s*FBX\s|FBXHeaderExtension\s*:)/;

/** USD texts begin with a word that says so, the old one too. */
const USD_TEXT = /^#(?:usda|sdf)\s/;

/** Formats that people may well hand over and that are not read. Matched against the first bytes as Latin-1. */
const STRANGERS: readonly Signature[] = [
  {
    name: 'a ZIP archive whose first file is no layer, so that it is no USDZ',
    begins: 'PK\x03\x04',
    advice: 'unpack it first',
  },
  { name: 'a gzip archive', begins: '\x1f\x8b', advice: 'unpack it first' },
  {
    name: 'COLLADA or other XML',
    begins: /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|COLLADA)/i,
    advice: 'convert it to GLB first',
  },
  { name: 'an HTML page', begins: /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i, advice: 'the download went wrong' },
  {
    name: 'a Git LFS pointer',
    begins: 'version https://git-lfs',
    advice: 'fetch the file itself with "git lfs pull"',
  },
  { name: 'a Blender file', begins: 'BLENDER', advice: 'export it from Blender as GLB' },
  { name: 'an MMD model (PMX, PMD)', begins: /^(?:PMX |Pmd)/, advice: 'convert it to VRM or GLB first' },
  { name: 'an MMD motion (VMD)', begins: 'Vocaloid Motion Data', advice: 'convert it to GLB or BVH first' },
];

/** Whether bytes are a ZIP archive that begins with a layer, which makes it a USDZ: the name of a file stands behind 30 bytes. */
function isUsdPackage(head: string): boolean {
  if (!head.startsWith('PK\x03\x04')) return false;
  const nameLength = head.charCodeAt(26) + 256 * head.charCodeAt(27);
  return /\.usd[acz]?$/i.test(head.slice(30, 30 + nameLength));
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD));
}

/** The first characters of a text in UTF-8, or in UTF-16 where a byte order mark says so; blanks before them left out. */
function beginOfText(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(utf16).decode(bytes.subarray(0, HEAD)).trimStart();
}

function describeBytes(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 16);
  if (head.every((byte) => byte >= 0x20 && byte < 0x7f)) return JSON.stringify(latin1(head));
  return `the bytes ${Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}

/**
 * The format of a file by its first bytes.
 *
 * @throws FormatError `FORMAT_UNKNOWN`; the message names the format where it is known but not read.
 */
export function detectFormat(bytes: Uint8Array): FileFormat {
  if (bytes.length === 0) throw new FormatError('FORMAT_UNKNOWN', 'The file is empty', { offset: 0 });
  const head = latin1(bytes);
  if (head.startsWith('glTF')) return 'glb';
  if (head.startsWith('Kaydara FBX Binary')) return 'fbx';
  if (head.startsWith('PXR-USDC') || isUsdPackage(head)) return 'usd';
  const text = beginOfText(bytes);
  if (text.startsWith('{')) return 'gltf';
  if (/^HIERARCHY(?:\s|$)/i.test(text)) return 'bvh';
  if (FBX_TEXT.test(text)) return 'fbx';
  if (USD_TEXT.test(text)) return 'usd';
  const stranger = STRANGERS.find(({ begins }) =>
    typeof begins === 'string' ? head.startsWith(begins) : begins.test(head),
  );
  if (stranger !== undefined) {
    throw new FormatError('FORMAT_UNKNOWN', `The file is ${stranger.name}: ${stranger.advice}`, { offset: 0 });
  }
  const formats = listFormats([...CHARACTER_FORMATS, ...MOTION_FORMATS], 'and');
  const message = `The file starts with ${describeBytes(bytes)}, which is none of ${formats}`;
  throw new FormatError('FORMAT_UNKNOWN', message, { offset: 0 });
}
