import { FormatError } from '../../../core/report/format-error.ts';
import { elementBytes, FIRST_RECORD_AT, FIRST_WIDE_VERSION, scalarBytes } from './binary-layout.ts';
import { MAX_ARRAY_BYTES, MAX_RECORD_DEPTH, MAX_STRING_BYTES } from './fbx-limits.ts';

/** Maximum expansion of zlib: one byte holds four pairs of codes of one bit each, and a pair stands for 258 bytes. */
const DEFLATE_RATIO = 1032;
const ARRAY_HEADER = 12;

interface WalkState {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  arrayBytes: number;
}

function damaged(message: string, offset: number): FormatError {
  return new FormatError('FBX_SYNTAX', `${message} Download or export the file again.`, { offset });
}

/** Returns `at + length`, which must not exceed `limit`: the end of the enclosing record, list or file. */
function endWithin(walk: WalkState, what: string, at: number, length: number, limit: number): number {
  const end = at + length;
  if (end <= limit) return end;
  const { length: size } = walk.bytes;
  if (end > size) throw damaged(`${what} needs ${length} bytes, but the file ends after ${size - at}.`, at);
  throw damaged(`${what} has ${length} bytes, ${end - limit} more than its enclosing record has room for.`, at);
}

function checkArray(walk: WalkState, type: string, at: number, limit: number): number {
  const start = endWithin(walk, 'The header of an array', at, ARRAY_HEADER, limit);
  const count = walk.view.getUint32(at, true);
  const encoding = walk.view.getUint32(at + 4, true);
  const stored = walk.view.getUint32(at + 8, true);
  const end = endWithin(walk, 'An array', start, stored, limit);
  const size = count * elementBytes(type);
  if (encoding > 1) throw damaged(`An array has encoding ${encoding}; expected 0 (plain) or 1 (zlib).`, at + 4);
  if (encoding === 0 ? stored !== size : size > stored * DEFLATE_RATIO) {
    throw damaged(`An array of ${count} elements (${size} bytes) cannot be stored in ${stored} bytes.`, at);
  }
  walk.arrayBytes += size;
  if (walk.arrayBytes > MAX_ARRAY_BYTES) {
    const message = `The arrays of the file expand to more than ${MAX_ARRAY_BYTES} bytes, the limit of anyrig. Split the file.`;
    throw new FormatError('FBX_LIMIT', message, { offset: at });
  }
  return end;
}

function checkProperty(walk: WalkState, at: number, limit: number): number {
  const after = endWithin(walk, 'A property', at, 1, limit);
  const type = String.fromCharCode(walk.bytes[at]);
  const scalar = scalarBytes(type);
  if (scalar > 0) return endWithin(walk, `A property of type ${type}`, after, scalar, limit);
  if (elementBytes(type) > 0) return checkArray(walk, type, after, limit);
  if (type !== 'S' && type !== 'R') {
    throw damaged(`A property has the unknown type ${JSON.stringify(type)}; expected one of YCBZIFDLSRbcifdl.`, at);
  }
  const start = endWithin(walk, 'The length of a string', after, 4, limit);
  const length = walk.view.getUint32(after, true);
  const end = endWithin(walk, type === 'S' ? 'A string' : 'A block of bytes', start, length, limit);
  if (type === 'R' || length <= MAX_STRING_BYTES) return end;
  const message = `A string has ${length} bytes; the limit of anyrig is ${MAX_STRING_BYTES}. Remove it from the file.`;
  throw new FormatError('FBX_LIMIT', message, { offset: at });
}

export interface WalkedRecord {
  readonly name: readonly [start: number, end: number];
  readonly properties: readonly number[];
  /** Nested records; null if the record has no list of them. */
  readonly records: readonly WalkedRecord[] | null;
}

/**
 * Walks all records of a binary FBX file and checks each length, offset, type and count, so that later readers can trust them. Decodes nothing and
 * does not recurse. The footer is not checked, because it has no data. Throws FormatError `FBX_SYNTAX` with the byte offset; `FBX_LIMIT` if records
 * nest too deeply, a string is too long, or arrays would expand beyond the memory limit. Returns the byte offset after the record of zeros that ends
 * the top-level list; the footer follows.
 */
export function walkBinary(bytes: Uint8Array, version: number): { end: number; records: readonly WalkedRecord[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: WalkState = { bytes, view, arrayBytes: 0 };
  const isWide = version >= FIRST_WIDE_VERSION;
  const width = isWide ? 8 : 4;
  const headerBytes = 3 * width + 1;
  const field = (at: number): number =>
    isWide ? view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32 : view.getUint32(at, true);
  // The file and the records around, whose nested records are walked; `limit` is the byte offset after each.
  const lists: { readonly limit: number; readonly records: WalkedRecord[] }[] = [{ limit: bytes.length, records: [] }];
  let at = FIRST_RECORD_AT;
  for (;;) {
    const { limit, records } = lists.at(-1)!;
    if (at === limit && lists.length > 1) {
      lists.pop();
      continue;
    }
    const start = at;
    const nameAt = endWithin(walk, 'The header of a record', start, headerBytes, limit);
    const end = field(start);
    const count = field(start + width);
    const listBytes = field(start + 2 * width);
    const nameBytes = bytes[nameAt - 1];
    if (end === 0) {
      if (count + listBytes + nameBytes > 0)
        throw damaged('The record that ends a list has nonzero fields; expected zeros only.', start);
      if (lists.length === 1) return { end: nameAt, records };
      if (nameAt !== limit) throw damaged(`A list of records ends ${limit - nameAt} bytes before its record.`, start);
      at = nameAt;
      continue;
    }
    if (nameBytes === 0) throw damaged('A record has an empty name.', start);
    const listAt = endWithin(walk, 'The name of a record', nameAt, nameBytes, limit);
    if (end < listAt) throw damaged(`A record declares its end at byte ${end}, before the end of its own name.`, start);
    endWithin(walk, 'A record', start, end - start, limit);
    const listEnd = endWithin(walk, 'The properties of a record', listAt, listBytes, end);
    at = listAt;
    const properties: number[] = [];
    for (let i = 0; i < count; i++) {
      properties.push(at);
      at = checkProperty(walk, at, listEnd);
    }
    if (at !== listEnd) throw damaged(`The properties of a record end ${listEnd - at} bytes early.`, at);
    const nested: WalkedRecord[] | null = at === end ? null : [];
    records.push({ name: [nameAt, listAt], properties, records: nested });
    if (nested === null) continue;
    if (lists.length >= MAX_RECORD_DEPTH) {
      throw new FormatError(
        'FBX_LIMIT',
        `Records nest deeper than ${MAX_RECORD_DEPTH} levels, the limit of anyrig. Export the file again.`,
        { offset: start },
      );
    }
    lists.push({ limit: end, records: nested });
  }
}
