/** Reads ZIP archives as NumPy writes them: stored or deflated, sizes in the central directory, ZIP64 where it is used. */
import { Inflate } from 'fflate';
import { crc32 } from '../../../core/math/crc32.ts';
import { FormatError } from '../../../core/report/format-error.ts';

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const LOCATOR64_SIZE = 20;
const END64_SIZE = 56;
const LONGEST_COMMENT = 0xffff;
/** Stands for a size or offset that is in the ZIP64 field. */
const IN_ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;
/** Bytes fed at once. One chunk expands to at most 1,032 times as much before the size is checked again. */
const CHUNK_BYTES = 1 << 13;
/**
 * Bytes that a member may expand to whatever it takes compressed, and the multiple of the compressed size above that. Poses of people compress to no
 * less than a tenth; a megabyte of zeros would become a gigabyte.
 */
const ALWAYS_EXPANDED = 2 ** 24;
const MOST_EXPANSION = 100;

export interface ZipMember {
  readonly name: string;
  /** Bytes when expanded, as the central directory says. */
  readonly size: number;
  /** Expands the beginning. Returns at least `length` bytes where there are as many. */
  readonly head: (length: number) => Uint8Array;
  readonly bytes: () => Uint8Array;
}

function damaged(message: string, offset: number): FormatError {
  return new FormatError('NPZ_INVALID', `${message}; the archive is damaged, get it again`, { offset });
}

function findEnd(view: DataView): number {
  const least = Math.max(0, view.byteLength - END_SIZE - LONGEST_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= least; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  throw damaged('The archive has no end record, so its end is missing', view.byteLength);
}

/** Reads an integer of 64 bits; those beyond 2⁵³ lead out of every file. */
function getSize(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function findDirectory(view: DataView): { readonly count: number; readonly start: number } {
  const end = findEnd(view);
  const locator = end - LOCATOR64_SIZE;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64_SIGNATURE) {
    const at = getSize(view, locator + 8);
    if (at + END64_SIZE > view.byteLength || view.getUint32(at, true) !== END64_SIGNATURE)
      throw damaged('The ZIP64 end record is missing', locator);
    return { count: getSize(view, at + 32), start: getSize(view, at + 48) };
  }
  return { count: view.getUint16(end + 10, true), start: view.getUint32(end + 16, true) };
}

/** Reads compressed size, size and offset of a member from its central record; those that are in its ZIP64 field from there. */
function readSizes(view: DataView, at: number): [packed: number, size: number, start: number] {
  const plain: [number, number, number] = [
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
    view.getUint32(at + 42, true),
  ];
  let field = at + CENTRAL_SIZE + view.getUint16(at + 28, true);
  const end = field + view.getUint16(at + 30, true);
  while (field + 4 <= end) {
    const next = field + 4 + view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === ZIP64_FIELD) {
      // The field has only the numbers that do not fit, in this order: size, compressed size, offset.
      let value = field + 4;
      for (const k of [1, 0, 2]) {
        if (plain[k] !== IN_ZIP64 || value + 8 > Math.min(next, end)) continue;
        plain[k] = getSize(view, value);
        value += 8;
      }
    }
    field = next;
  }
  return plain;
}

/** Expands a stream until it is `most` bytes long. */
function inflate(packed: Uint8Array, most: number, name: string): Uint8Array {
  const out = new Uint8Array(most);
  let filled = 0;
  const stream = new Inflate((chunk) => {
    const part = chunk.subarray(0, most - filled);
    out.set(part, filled);
    filled += part.length;
  });
  try {
    for (let at = 0; at < packed.length && filled < most; at += CHUNK_BYTES)
      stream.push(packed.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= packed.length);
  } catch {
    throw new FormatError('NPZ_INVALID', `The compressed data of ${name} is damaged; get the file again`);
  }
  return out.subarray(0, filled);
}

function memberAt(bytes: Uint8Array, view: DataView, at: number): ZipMember {
  const name = new TextDecoder().decode(
    bytes.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + view.getUint16(at + 28, true)),
  );
  const shown = JSON.stringify(name);
  const [packedSize, size, start] = readSizes(view, at);
  const method = view.getUint16(at + 10, true);
  const sum = view.getUint32(at + 16, true);
  if ((view.getUint16(at + 8, true) & 1) !== 0)
    throw new FormatError('NPZ_INVALID', `${shown} is encrypted; save the archive without a password`, { offset: at });
  if (method !== 0 && method !== 8) {
    const message = `${shown} is compressed with method ${method}; anyrig reads deflate (8) and none (0), as numpy.savez and numpy.savez_compressed write`;
    throw new FormatError('NPZ_INVALID', message, { offset: at });
  }
  const packed = (): Uint8Array => {
    if (start + LOCAL_SIZE > bytes.length || view.getUint32(start, true) !== LOCAL_SIGNATURE)
      throw damaged(`${shown} does not start at byte ${start}`, start);
    // The sizes in local headers are often 0xFFFFFFFF: those of the central directory count.
    const from = start + LOCAL_SIZE + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    if (from + packedSize > bytes.length)
      throw damaged(`${shown} has ${packedSize} bytes from byte ${from}, beyond the end of the file`, from);
    return bytes.subarray(from, from + packedSize);
  };
  const all = (): Uint8Array => {
    const data = packed();
    if (method === 0) return data;
    if (size > Math.max(ALWAYS_EXPANDED, MOST_EXPANSION * packedSize)) {
      const message = `${shown} would expand from ${packedSize} to ${size} bytes, more than motions do; save it without compression if that is right`;
      throw new FormatError('NPZ_INVALID', message, { offset: at });
    }
    return inflate(data, size, shown);
  };
  return {
    name,
    size,
    head: (length) => (method === 0 ? packed() : inflate(packed(), Math.min(length, size), shown)),
    bytes: () => {
      const data = all();
      if (data.length !== size) throw damaged(`${shown} has ${data.length} bytes, expected ${size}`, start);
      if (crc32(data) !== sum) throw damaged(`${shown} does not match its checksum`, start);
      return data;
    },
  };
}

/**
 * Lists the members of a ZIP archive. They are expanded on demand. Throws FormatError `NPZ_INVALID` for a damaged archive, encryption, and other
 * compression than deflate.
 */
export function readZip(bytes: Uint8Array): ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < END_SIZE) throw damaged('The archive has no end record', 0);
  const { count, start } = findDirectory(view);
  const members: ZipMember[] = [];
  let at = start;
  for (let k = 0; k < count; k++) {
    if (at + CENTRAL_SIZE > bytes.length || view.getUint32(at, true) !== CENTRAL_SIGNATURE)
      throw damaged(`The central directory ends after ${k} of ${count} files`, at);
    const next =
      at + CENTRAL_SIZE + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > bytes.length) throw damaged('A record reaches beyond the file', at);
    members.push(memberAt(bytes, view, at));
    at = next;
  }
  return members;
}
