/** Reads packages (`.usdz`): zip files with uncompressed contents. */

import { crc32 } from '../../../core/math/crc32.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
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
  /** Content of the file. */
  readonly bytes: Uint8Array;
}

/** The contents of a package. */
export interface Usdz {
  /** Files in the order of the package; the first is the root layer. Bytes are views of the package. */
  readonly entries: readonly UsdzEntry[];
  /** Misaligned and damaged files. */
  readonly issues: readonly Issue[];
}

/** A file and its byte range in the package, header included. */
interface LocatedFile extends UsdzEntry {
  readonly start: number;
  readonly end: number;
}

function packageError(message: string, offset: number): FormatError {
  return new FormatError('USD_PACKAGE', message, { offset });
}

/** Finds the end record; a comment of up to 65,535 bytes may follow it. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  throw packageError(
    'Found no end record of a zip file, expected a .usdz package; the file is incomplete or not a package',
    view.byteLength,
  );
}

const NAMES = new TextDecoder('utf-8');

/** Reads the file of a complete central directory record. All files end before `limit`. */
function readEntry(bytes: Uint8Array, view: DataView, at: number, limit: number): LocatedFile {
  const nameEnd = at + CENTRAL_SIZE + view.getUint16(at + 28, true);
  const name = NAMES.decode(bytes.subarray(at + CENTRAL_SIZE, nameEnd));
  const wrong = nameFault(name);
  if (wrong !== null)
    throw packageError(`The package has a file with the invalid name ${JSON.stringify(name)}: ${wrong}`, at);
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & 1) !== 0)
    throw packageError(`The file ${name} is encrypted, which packages do not allow`, at);
  const size = view.getUint32(at + 20, true);
  if (method !== 0 || size !== view.getUint32(at + 24, true)) {
    throw packageError(
      `The file ${name} is compressed (method ${method}), which packages do not allow; zip it again without compression`,
      at,
    );
  }
  const start = view.getUint32(at + 42, true);
  if (start + LOCAL_SIZE > limit || view.getUint32(start, true) !== LOCAL_SIGNATURE)
    throw packageError(`The central directory has the file ${name} at byte ${start}, but no file starts there`, at);
  if (view.getUint16(start + 8, true) !== 0)
    throw packageError(
      `The file ${name} is uncompressed in the central directory, but compressed in its own header`,
      start,
    );
  const data = start + LOCAL_SIZE + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  if (data + size > limit)
    throw packageError(`The file ${name} has ${size} bytes from byte ${data}, which reaches out of the package`, at);
  return { name, bytes: bytes.subarray(data, data + size), start, end: data + size };
}

function checkOverlap(files: readonly LocatedFile[]): void {
  const sorted = [...files].sort((a, b) => a.start - b.start);
  for (let k = 1; k < sorted.length; k++) {
    if (sorted[k].start < sorted[k - 1].end)
      throw packageError(`The files ${sorted[k - 1].name} and ${sorted[k].name} overlap`, sorted[k].start);
  }
}

function checkNames(files: readonly LocatedFile[]): void {
  const seen = new Set<string>();
  for (const { name, start } of files) {
    if (seen.has(name)) throw packageError(`The package has two files with the name ${name}`, start);
    seen.add(name);
  }
}

/** Creates one issue for all files with the same problem; it names the first. */
function unusualFiles(what: string, names: readonly string[]): Issue[] {
  if (names.length === 0) return [];
  const others = names.length === 1 ? '' : ` (and ${names.length - 1} more)`;
  return [issue('USD_PACKAGE_UNUSUAL', `The file ${names[0]}${others} ${what}`)];
}

/**
 * Reads the files of a package without copying them. Folders are skipped. Files that are not aligned to 64 bytes or have a wrong checksum are
 * returned with an issue.
 *
 * @param bytes Content of a `.usdz` file.
 * @returns The files and issues.
 * @throws FormatError `USD_PACKAGE` if the zip file is damaged or contradicts itself; has compressed, encrypted or overlapping files; or has names
 *   that lead out of the package.
 * @see https://openusd.org/release/spec_usdz.html
 * @example
 * ```ts
 * const { entries } = readUsdz(bytes);
 * entries.map(({ name }) => name); // ['hero.usdc', 'textures/skin.png']
 * ```
 */
export function readUsdz(bytes: Uint8Array): Usdz {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff)
    throw packageError('The package is a ZIP64 file, which .usdz does not allow', end);
  if (at + size > end)
    throw packageError(
      `The central directory has ${size} bytes from byte ${at}, which reaches out of the package`,
      end,
    );
  const first = at;
  const files: LocatedFile[] = [];
  const sums: number[] = [];
  for (let k = 0; k < count; k++) {
    if (at + CENTRAL_SIZE > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE)
      throw packageError(`The central directory ends after ${k} of ${count} files`, at);
    const next =
      at + CENTRAL_SIZE + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) throw packageError('A record reaches beyond the central directory', at);
    const file = readEntry(bytes, view, at, first);
    if (!file.name.endsWith('/')) {
      files.push(file);
      sums.push(view.getUint32(at + 16, true));
    }
    at = next;
  }
  checkOverlap(files);
  checkNames(files);
  const misaligned = files.filter((file) => (file.bytes.byteOffset - bytes.byteOffset) % ALIGNMENT !== 0);
  const damaged = files.filter((file, k) => crc32(file.bytes) !== sums[k]);
  const namesOf = (some: readonly LocatedFile[]): string[] => some.map(({ name }) => name);
  return {
    entries: files.map((file) => ({ name: file.name, bytes: file.bytes })),
    issues: [
      ...unusualFiles(
        `does not start at a multiple of ${ALIGNMENT} bytes, as packages require; the package was read anyway`,
        namesOf(misaligned),
      ),
      ...unusualFiles('does not match its checksum and is probably damaged; it was read anyway', namesOf(damaged)),
    ],
  };
}
