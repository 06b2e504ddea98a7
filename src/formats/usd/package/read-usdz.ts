/** Packages: `.usdz`, zip files whose files are stored as they are. */
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { crc32 } from './crc32.ts';
import {
  ALIGNMENT,
  CENTRAL_SIGNATURE,
  CENTRAL_SIZE,
  END_SIGNATURE,
  END_SIZE,
  LOCAL_SIGNATURE,
  LOCAL_SIZE,
  nameFault,
} from './zip-records.ts';

/** A file of a package. */
export interface UsdzEntry {
  /** Relative path with slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is in a package. */
export interface Usdz {
  /** In the order of the package; the first one is the root layer. Bytes are views of those of the package. */
  readonly entries: readonly UsdzEntry[];
  readonly issues: readonly Issue[];
}

/** A file with where it is in the package, header included. */
interface LocatedFile extends UsdzEntry {
  readonly start: number;
  readonly end: number;
}

function packageError(message: string, offset: number): FormatError {
  return new FormatError('USD_PACKAGE', message, { offset });
}

/** Where the record at the end is, which a comment of up to 65,535 bytes may follow. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  throw packageError(
    'Found no end record of a zip file, expected one in a .usdz; the file breaks off or is none',
    view.byteLength,
  );
}

const NAMES = new TextDecoder('utf-8');

/** The file that the record at a place of the list, which is whole, points to. All files end before `limit`. */
function readEntry(bytes: Uint8Array, view: DataView, at: number, limit: number): LocatedFile {
  const nameEnd = at + CENTRAL_SIZE + view.getUint16(at + 28, true);
  const name = NAMES.decode(bytes.subarray(at + CENTRAL_SIZE, nameEnd));
  const wrong = nameFault(name);
  if (wrong !== null) throw packageError(`The name ${JSON.stringify(name)} of a file is not usable: ${wrong}`, at);
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & 1) !== 0)
    throw packageError(`The file ${name} is encrypted, which packages must not be`, at);
  const size = view.getUint32(at + 20, true);
  if (method !== 0 || size !== view.getUint32(at + 24, true)) {
    throw packageError(
      `The file ${name} is compressed (method ${method}), packages must store files as they are; zip it again without compression`,
      at,
    );
  }
  const start = view.getUint32(at + 42, true);
  if (start + LOCAL_SIZE > limit || view.getUint32(start, true) !== LOCAL_SIGNATURE)
    throw packageError(`The list of files says that ${name} is at byte ${start}, where no file is`, at);
  if (view.getUint16(start + 8, true) !== 0)
    throw packageError(`The file ${name} is stored by the list and compressed by its own header`, start);
  const data = start + LOCAL_SIZE + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  if (data + size > limit)
    throw packageError(`The file ${name} has ${size} bytes from byte ${data}, which reaches out of the package`, at);
  return { name, bytes: bytes.subarray(data, data + size), start, end: data + size };
}

function checkApart(files: readonly LocatedFile[]): void {
  const sorted = [...files].sort((a, b) => a.start - b.start);
  for (let k = 1; k < sorted.length; k++) {
    if (sorted[k].start < sorted[k - 1].end)
      throw packageError(`The files ${sorted[k - 1].name} and ${sorted[k].name} overlap`, sorted[k].start);
  }
}

function checkNames(files: readonly LocatedFile[]): void {
  const seen = new Set<string>();
  for (const { name, start } of files) {
    if (seen.has(name)) throw packageError(`The package has two files called ${name}`, start);
    seen.add(name);
  }
}

/** The issue of a package: what is odd about some of its files, the first of them by name. */
function unusualFiles(what: string, names: readonly string[]): Issue[] {
  if (names.length === 0) return [];
  const others = names.length === 1 ? '' : ` and ${names.length - 1} more`;
  return [issue('USD_PACKAGE_UNUSUAL', `The file ${names[0]}${others} ${what}`)];
}

/**
 * The files of a package, without copying. Folders are left out. Files that are not aligned to 64 bytes or whose check sum is wrong are given
 * with an issue.
 *
 * @throws FormatError USD_PACKAGE when the zip file is damaged or lies, has compressed, encrypted or overlapping files, or names that lead out of it.
 * @see https://openusd.org/release/spec_usdz.html
 */
export function readUsdz(bytes: Uint8Array): Usdz {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw packageError('The package is a ZIP64 file, which .usdz must not be', end);
  if (at + size > end)
    throw packageError(`The list of files has ${size} bytes from byte ${at}, which reaches out of the package`, end);
  const first = at;
  const files: LocatedFile[] = [];
  const sums: number[] = [];
  for (let k = 0; k < count; k++) {
    if (at + CENTRAL_SIZE > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE)
      throw packageError(`The list of files breaks off after ${k} of ${count} files`, at);
    const next =
      at + CENTRAL_SIZE + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) throw packageError('A record reaches behind the list of files', at);
    const file = readEntry(bytes, view, at, first);
    if (!file.name.endsWith('/')) {
      files.push(file);
      sums.push(view.getUint32(at + 16, true));
    }
    at = next;
  }
  checkApart(files);
  checkNames(files);
  const askew = files.filter((file) => (file.bytes.byteOffset - bytes.byteOffset) % ALIGNMENT !== 0);
  const damaged = files.filter((file, k) => crc32(file.bytes) !== sums[k]);
  const namesOf = (some: readonly LocatedFile[]): string[] => some.map(({ name }) => name);
  return {
    entries: files.map((file) => ({ name: file.name, bytes: file.bytes })),
    issues: [
      ...unusualFiles(`does not start at a multiple of ${ALIGNMENT} bytes, as files of packages must`, namesOf(askew)),
      ...unusualFiles('has another check sum than the package says: it is damaged', namesOf(damaged)),
    ],
  };
}
