/** Writing packages: `.usdz`. */
import { crc32 } from './crc32.ts';
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

/** The kind of extra field that pads in packages of OpenUSD, and the bytes before its content. */
const PADDING_KIND = 0x1986;
const EXTRA_HEADER_SIZE = 4;

/** 1 January 1980, midnight, the first day of zip files: the same files give the same package. */
const DATE = 0x21;
const VERSION = 10;
const MAX_FILES = 0xfffe;
const MAX_BYTES = 0xfffffffe;

/** A file and where it goes. */
interface LocatedFile {
  readonly name: Uint8Array;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly padding: number;
  readonly flags: number;
  readonly sum: number;
}

/** Bytes of an extra field that move what comes behind it to a multiple of 64: none, or 4 and more. */
function paddingAt(at: number): number {
  const gap = (ALIGNMENT - (at % ALIGNMENT)) % ALIGNMENT;
  return gap === 0 || gap >= EXTRA_HEADER_SIZE ? gap : gap + ALIGNMENT;
}

function checkEntries(entries: readonly UsdzEntry[]): void {
  if (entries.length === 0 || !/\.usd[acz]?$/i.test(entries[0].name))
    throw new RangeError('The first file of a package must be its root layer, a .usd, .usda, .usdc or .usdz');
  if (entries.length > MAX_FILES)
    throw new RangeError(`A package holds at most ${MAX_FILES} files, not ${entries.length}`);
  const seen = new Set<string>();
  for (const { name } of entries) {
    const fault = seen.has(name)
      ? 'another file has it'
      : name.endsWith('/')
        ? 'it is that of a folder'
        : nameFault(name);
    if (fault !== null)
      throw new RangeError(`The name ${JSON.stringify(name)} cannot be that of a file in a package: ${fault}`);
    seen.add(name);
  }
}

function locateFiles(entries: readonly UsdzEntry[]): LocatedFile[] {
  let at = 0;
  return entries.map(({ name, bytes }) => {
    const encoded = new TextEncoder().encode(name);
    if (encoded.length > 0xffff)
      throw new RangeError(`The name of a file has ${encoded.length} bytes, 65535 is the most`);
    const start = at;
    const padding = paddingAt(start + LOCAL_SIZE + encoded.length);
    at = start + LOCAL_SIZE + encoded.length + padding + bytes.length;
    const flags = encoded.length === name.length ? 0 : UTF8_NAME;
    return { name: encoded, bytes, start, padding, flags, sum: crc32(bytes) };
  });
}

/** What the header of a file and the list of files say alike: 26 bytes. */
function setCommon(view: DataView, at: number, { name, bytes, flags, sum }: LocatedFile): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, flags, true);
  // Method 0, stored, and midnight are zeros.
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

/** Writes a record of the list of files; where the next one goes. */
function setRecord(out: Uint8Array, view: DataView, at: number, file: LocatedFile): number {
  view.setUint32(at, CENTRAL_SIGNATURE, true);
  view.setUint16(at + 4, VERSION, true);
  setCommon(view, at + 6, file);
  view.setUint32(at + 42, file.start, true);
  out.set(file.name, at + CENTRAL_SIZE);
  return at + CENTRAL_SIZE + file.name.length;
}

/**
 * A package of files, the root layer first: stored, each at a multiple of 64 bytes, all dates 1980-01-01. The same files give the same bytes.
 *
 * @throws RangeError when the first file is no layer, for names that are doubled or lead out of the package, and beyond 4 GiB or 65,534 files.
 * @see https://openusd.org/release/spec_usdz.html
 */
export function writeUsdz(entries: readonly UsdzEntry[]): Uint8Array {
  checkEntries(entries);
  const files = locateFiles(entries);
  const last = files[files.length - 1];
  const list = last.start + LOCAL_SIZE + last.name.length + last.padding + last.bytes.length;
  const listSize = files.reduce((sum, { name }) => sum + CENTRAL_SIZE + name.length, 0);
  const total = list + listSize + END_SIZE;
  if (total > MAX_BYTES) throw new RangeError(`A package has less than 4 GiB, these files make ${total} bytes`);
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
