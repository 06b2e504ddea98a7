import { crc32 } from '../../../core/math/crc32.ts';
import type { UsdzEntry } from './read-usdz.ts';
import {
  ALIGNMENT,
  CENTRAL_SIGNATURE,
  CENTRAL_SIZE,
  END_SIGNATURE,
  END_SIZE,
  LOCAL_SIGNATURE,
  LOCAL_SIZE,
  nameFault,
  UTF8_NAME,
} from './zip-records.ts';

/** Type of the extra field that OpenUSD uses as padding, and the bytes before its content. */
const PADDING_KIND = 0x1986;
const EXTRA_HEADER_SIZE = 4;

/** 1 January 1980, the first date of zip files: equal files give equal packages. */
const DATE = 0x21;
const VERSION = 10;
const MAX_FILES = 0xfffe;
const MAX_BYTES = 0xfffffffe;

interface LocatedFile {
  readonly name: Uint8Array;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly padding: number;
  readonly flags: number;
  readonly sum: number;
}

/** Returns the size of an extra field that aligns the following bytes to 64: 0, or 4 and more. */
function paddingAt(at: number): number {
  const gap = (ALIGNMENT - (at % ALIGNMENT)) % ALIGNMENT;
  return gap === 0 || gap >= EXTRA_HEADER_SIZE ? gap : gap + ALIGNMENT;
}

function checkEntries(entries: readonly UsdzEntry[]): void {
  if (entries.length === 0 || !/\.usd[acz]?$/i.test(entries[0].name))
    throw new RangeError(
      `Found ${entries.length === 0 ? 'no file' : JSON.stringify(entries[0].name)} as the first file of the package, expected the root layer: a .usd, .usda, .usdc or .usdz`,
    );
  if (entries.length > MAX_FILES)
    throw new RangeError(`Found ${entries.length} files, a package holds at most ${MAX_FILES}`);
  const seen = new Set<string>();
  for (const { name } of entries) {
    const fault = seen.has(name)
      ? 'another file has the same name'
      : name.endsWith('/')
        ? 'it ends in a slash, as names of folders do'
        : nameFault(name);
    if (fault !== null)
      throw new RangeError(`The file name ${JSON.stringify(name)} is not allowed in a package: ${fault}`);
    seen.add(name);
  }
}

function locateFiles(entries: readonly UsdzEntry[]): LocatedFile[] {
  let at = 0;
  return entries.map(({ name, bytes }) => {
    const encoded = new TextEncoder().encode(name);
    if (encoded.length > 0xffff)
      throw new RangeError(`Found a file name of ${encoded.length} bytes, the maximum is 65535`);
    const start = at;
    const padding = paddingAt(start + LOCAL_SIZE + encoded.length);
    at = start + LOCAL_SIZE + encoded.length + padding + bytes.length;
    const flags = encoded.length === name.length ? 0 : UTF8_NAME;
    return { name: encoded, bytes, start, padding, flags, sum: crc32(bytes) };
  });
}

/** Writes the 24 bytes that a local file header and a central directory record share. */
function setCommon(view: DataView, at: number, { name, bytes, flags, sum }: LocatedFile): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, flags, true);
  // Method 0 (uncompressed) and midnight are zeros.
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, sum, true);
  view.setUint32(at + 14, bytes.length, true);
  view.setUint32(at + 18, bytes.length, true);
  view.setUint16(at + 22, name.length, true);
}

function setFile(out: Uint8Array, view: DataView, file: LocatedFile): void {
  const { start, name, padding, bytes } = file;
  view.setUint32(start, LOCAL_SIGNATURE, true);
  setCommon(view, start + 4, file);
  view.setUint16(start + 28, padding, true);
  const extra = start + LOCAL_SIZE + name.length;
  out.set(name, start + LOCAL_SIZE);
  if (padding > 0) {
    view.setUint16(extra, PADDING_KIND, true);
    view.setUint16(extra + 2, padding - EXTRA_HEADER_SIZE, true);
  }
  out.set(bytes, extra + padding);
}

/** Writes a central directory record and returns the offset of the next. */
function setRecord(out: Uint8Array, view: DataView, at: number, file: LocatedFile): number {
  view.setUint32(at, CENTRAL_SIGNATURE, true);
  view.setUint16(at + 4, VERSION, true);
  setCommon(view, at + 6, file);
  view.setUint32(at + 42, file.start, true);
  out.set(file.name, at + CENTRAL_SIZE);
  return at + CENTRAL_SIZE + file.name.length;
}

/**
 * Writes a package: uncompressed, each file at a multiple of 64 bytes, all dates 1980-01-01. Equal files give equal bytes.
 *
 * @param entries Files by relative path with slashes; the root layer first.
 * @returns Content of a `.usdz` file.
 * @throws RangeError if the first file is not a layer, a name is duplicated or leads out of the package, or there are more than 65,534 files or 4
 *   GiB.
 * @see https://openusd.org/release/spec_usdz.html
 * @example
 * ```ts
 * const bytes = writeUsdz([
 *   { name: 'hero.usdc', bytes: serializeUsdc(layer) },
 *   { name: 'textures/skin.png', bytes: png },
 * ]);
 * ```
 */
export function writeUsdz(entries: readonly UsdzEntry[]): Uint8Array {
  checkEntries(entries);
  const files = locateFiles(entries);
  const last = files[files.length - 1];
  const list = last.start + LOCAL_SIZE + last.name.length + last.padding + last.bytes.length;
  const listSize = files.reduce((sum, { name }) => sum + CENTRAL_SIZE + name.length, 0);
  const total = list + listSize + END_SIZE;
  if (total > MAX_BYTES) throw new RangeError(`The package would have ${total} bytes, the maximum is 4 GiB`);
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  for (const file of files) setFile(out, view, file);
  let at = list;
  for (const file of files) at = setRecord(out, view, at, file);
  view.setUint32(at, END_SIGNATURE, true);
  view.setUint16(at + 8, files.length, true);
  view.setUint16(at + 10, files.length, true);
  view.setUint32(at + 12, listSize, true);
  view.setUint32(at + 16, list, true);
  return out;
}
