/** The frame of a binary USD file: its head, its table of contents, and the sections of its structure. */
import { decodeLooseUtf8 } from '../layer/loose-utf8.ts';
import { type ByteReader, crateError, readCount, readInt64, readUint32, readUint64, seek, takeBytes } from './byte-reader.ts';
import { decompress, maxDecompressedSize } from './fast-compression.ts';
import { readCompressedInts } from './integer-coding.ts';
import { type MemoryBudget, reserveMemory } from './crate-limits.ts';
import { VERSION } from './data-types.ts';

/** What a file starts with. */
export const MAGIC = 'PXR-USDC';
/** Bytes of the head: magic, version, place of the table of contents, room. */
export const HEADER_BYTES = 88;
/** Bytes of the name of a section. */
export const SECTION_NAME_BYTES = 16;

export interface CrateVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Whether bytes are those of a binary USD file. */
export function isUsdc(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && [...MAGIC].every((char, i) => bytes[i] === char.charCodeAt(0));
}

/** The version, and where the sections are, by name. */
export function readTableOfContents(source: ByteReader): { version: CrateVersion; sections: ReadonlyMap<string, number> } {
  const { bytes } = source;
  if (!isUsdc(bytes)) throw crateError(`Binary USD files start with ${MAGIC}, this one does not`, 0);
  if (bytes.length < HEADER_BYTES) throw crateError('The file ends in its head', bytes.length);
  const version = { major: bytes[8], minor: bytes[9], patch: bytes[10] };
  if (version.major !== 0) {
    throw crateError(
      `Version ${version.major}.${version.minor} is none that is known (0.0.1 to 0.${VERSION.newest}.0)`,
      8,
    );
  }
  source.at = 16;
  seek(source, readInt64(source), 'The table of contents');
  const count = readCount(source, SECTION_NAME_BYTES + 16, 'sections');
  const sections = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const name = String.fromCharCode(...takeBytes(source, SECTION_NAME_BYTES)).replace(/\0.*$/s, '');
    const start = readInt64(source);
    const size = readInt64(source);
    if (!(start >= 0 && size >= 0 && start + size <= bytes.length)) {
      throw crateError(`Section ${name} is said to be at byte ${start}, ${size} long`, source.at);
    }
    sections.set(name, start);
  }
  return { version, sections };
}

/** Moves to a section that no file can do without. */
function seekSection(source: ByteReader, sections: ReadonlyMap<string, number>, name: string): void {
  const start = sections.get(name);
  if (start === undefined) throw crateError(`The section ${name} is missing`, source.at);
  source.at = start;
}

/** What the readers of sections need. */
export interface SectionReading {
  readonly source: ByteReader;
  readonly sections: ReadonlyMap<string, number>;
  readonly minor: number;
  readonly budget: MemoryBudget;
}

/** All tokens. */
export function readTokens({ source, sections, minor, budget }: SectionReading): string[] {
  seekSection(source, sections, 'TOKENS');
  const start = source.at;
  const count = readUint64(source);
  const size = readUint64(source);
  let raw: Uint8Array;
  if (minor < VERSION.compressedSections) raw = takeBytes(source, size);
  else {
    const compressed = readUint64(source);
    if (compressed > source.bytes.length - source.at || size > maxDecompressedSize(compressed)) {
      throw crateError(`${size} bytes of tokens are announced in ${compressed} compressed ones`, start);
    }
    reserveMemory(budget, size);
    raw = new Uint8Array(size);
    // Of no tokens there are no bytes, compressed or not.
    const filled = compressed === 0 ? 0 : decompress(source, compressed, raw);
    if (filled !== size) throw crateError(`${size} bytes of tokens are announced, ${filled} are there`, start);
  }
  // A token takes about so much on top of its letters.
  reserveMemory(budget, 2 * raw.length + 32 * Math.min(count, raw.length));
  const tokens = decodeLooseUtf8(raw).split('\0', count + 1);
  // Behind the last end there is nothing, or something that is not ended.
  if (tokens.length <= count && tokens[tokens.length - 1] === '') tokens.pop();
  if (tokens.length < count) throw crateError(`${count} tokens are announced, ${tokens.length} are there`, start);
  return tokens.slice(0, count);
}

/** The token of each string. A file may have no strings. */
export function readStrings({ source, sections }: SectionReading): Uint32Array {
  if (!sections.has('STRINGS')) return new Uint32Array(0);
  seekSection(source, sections, 'STRINGS');
  return readUint32s(source, readCount(source, 4, 'strings'));
}

function readUint32s(source: ByteReader, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, () => readUint32(source));
}

/** Fields: their names as tokens, and the two halves of the representations of their values. */
export interface FieldTable {
  readonly names: Uint32Array;
  /** Low half, high half, of one field after the other. */
  readonly reps: Uint32Array;
}

export function readFields({ source, sections, minor, budget }: SectionReading): FieldTable {
  seekSection(source, sections, 'FIELDS');
  const start = source.at;
  if (minor < VERSION.compressedSections) {
    const words = readUint32s(source, 4 * readCount(source, 16, 'fields'));
    const names = words.filter((_, i) => i % 4 === 1);
    return { names, reps: words.filter((_, i) => i % 4 >= 2) };
  }
  const count = readUint64(source);
  const names = new Uint32Array(readCompressedInts(source, count, budget).buffer);
  const size = readUint64(source);
  if (size > source.bytes.length - source.at || count * 8 > maxDecompressedSize(size)) {
    throw crateError(`${count} fields are announced in ${size} bytes`, start);
  }
  reserveMemory(budget, count * 8);
  const reps = new Uint32Array(2 * count);
  const filled = count === 0 ? 0 : decompress(source, size, new Uint8Array(reps.buffer));
  if (filled !== count * 8) throw crateError(`${count} fields are announced, ${filled / 8} are there`, start);
  return { names, reps };
}

/** Ends a set of fields. */
export const END_OF_SET = 0xffffffff;

/** Indexes of fields, each set ended by {@link END_OF_SET}. */
export function readFieldSets({ source, sections, minor, budget }: SectionReading): Uint32Array {
  seekSection(source, sections, 'FIELDSETS');
  if (minor < VERSION.compressedSections) return readUint32s(source, readCount(source, 4, 'indexes of fields'));
  return new Uint32Array(readCompressedInts(source, readUint64(source), budget).buffer);
}

/** Specs: index of the path, start of the field set, type. */
export interface SpecTable {
  readonly paths: Uint32Array;
  readonly fieldSets: Uint32Array;
  readonly types: Uint32Array;
}

export function readSpecs({ source, sections, minor, budget }: SectionReading, { patch }: CrateVersion): SpecTable {
  seekSection(source, sections, 'SPECS');
  if (minor < VERSION.compressedSections) {
    // 0.0.1 has four bytes of padding before each.
    const width = minor === 0 && patch <= 1 ? 4 : 3;
    const words = readUint32s(source, width * readCount(source, 4 * width, 'specs'));
    const column = (k: number): Uint32Array => words.filter((_, i) => i % width === width - 3 + k);
    return { paths: column(0), fieldSets: column(1), types: column(2) };
  }
  const count = readUint64(source);
  const column = (): Uint32Array => new Uint32Array(readCompressedInts(source, count, budget).buffer);
  const paths = column();
  const fieldSets = column();
  return { paths, fieldSets, types: column() };
}
