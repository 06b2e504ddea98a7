import { FormatError } from '../../core/report/format-error.ts';
import { elementBytes, FIRST_RECORD_AT, FIRST_WIDE_VERSION, scalarBytes } from './binary-layout.ts';
import { DEEPEST_RECORD, LONGEST_STRING, MOST_ARRAY_BYTES } from './limits.ts';

/** zlib cannot make more than this out of one byte: 258 bytes by two codes of one bit each. */
const DEFLATE_RATIO = 1032;
const ARRAY_HEADER = 12;

/** What the walk needs to know at any time. */
interface Walk {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  arrayBytes: number;
  /** Offsets of the type codes of all properties but plain numbers, in the order of the file. */
  readonly payloads: number[];
}

function broken(message: string, offset: number): FormatError {
  return new FormatError('FBX_SYNTAX', `${message} Download or export the file again.`, { offset });
}

/** The end of something that must fit before `limit`, which is the end of the record, list or file around it. */
function endWithin(walk: Walk, what: string, at: number, length: number, limit: number): number {
  const end = at + length;
  if (end <= limit) return end;
  const { length: size } = walk.bytes;
  if (end > size) throw broken(`${what} breaks off: it needs ${length} bytes, the file ends after ${size - at}.`, at);
  throw broken(`${what} has ${length} bytes, ${end - limit} too many for what it stands in.`, at);
}

function checkArray(walk: Walk, type: string, at: number, limit: number): number {
  const start = endWithin(walk, 'The header of an array', at, ARRAY_HEADER, limit);
  const count = walk.view.getUint32(at, true);
  const encoding = walk.view.getUint32(at + 4, true);
  const stored = walk.view.getUint32(at + 8, true);
  const end = endWithin(walk, 'An array', start, stored, limit);
  const size = count * elementBytes(type);
  if (encoding > 1) throw broken(`An array has the encoding ${encoding}; 0 (plain) or 1 (zlib) was expected.`, at + 4);
  if (encoding === 0 ? stored !== size : size > stored * DEFLATE_RATIO) {
    throw broken(`An array of ${count} elements, ${size} bytes, cannot be in ${stored} bytes.`, at);
  }
  walk.arrayBytes += size;
  if (walk.arrayBytes > MOST_ARRAY_BYTES) {
    const message = `The arrays of the file expand to more than ${MOST_ARRAY_BYTES} bytes. Split the file.`;
    throw new FormatError('FBX_LIMIT', message, { offset: at });
  }
  return end;
}

/** Checks a property; its end. */
function checkProperty(walk: Walk, at: number, limit: number): number {
  const after = endWithin(walk, 'A property', at, 1, limit);
  const type = String.fromCharCode(walk.bytes[at]);
  const isNumber = 'YIFDL'.includes(type);
  if (!isNumber) walk.payloads.push(at);
  const scalar = scalarBytes(type);
  if (scalar > 0) return endWithin(walk, `A property of type ${type}`, after, scalar, limit);
  if (elementBytes(type) > 0) return checkArray(walk, type, after, limit);
  if (type !== 'S' && type !== 'R') {
    throw broken(`A property has the type ${JSON.stringify(type)}, which is none of the format.`, at);
  }
  const start = endWithin(walk, 'The length of a string', after, 4, limit);
  const length = walk.view.getUint32(after, true);
  const end = endWithin(walk, type === 'S' ? 'A string' : 'A block of bytes', start, length, limit);
  if (type === 'R' || length <= LONGEST_STRING) return end;
  const message = `A string has ${length} bytes; up to ${LONGEST_STRING} are read. Remove it from the file.`;
  throw new FormatError('FBX_LIMIT', message, { offset: at });
}

/** Where the records end, and where the properties are that fbx-parser cannot read well or safely. */
export interface BinaryWalk {
  /** After the record of zeros that ends the file's own list; the footer follows. */
  readonly end: number;
  /** Offsets of the type codes of all properties but plain numbers (types Y, I, F, D, L), in the order of the file. */
  readonly payloads: readonly number[];
}

/**
 * Walks all records of a binary FBX file, nested ones too, and checks each length, offset, type and count, so that what
 * reads it after this can trust them. Nothing is decoded. Not recursive. The footer is not looked at: it tells nothing.
 *
 * @throws FormatError `FBX_SYNTAX` with the byte offset; `FBX_LIMIT` where records nest too deeply, or arrays would expand
 *   to more than the memory should hold.
 */
export function walkBinary(bytes: Uint8Array, version: number): BinaryWalk {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: Walk = { bytes, view, arrayBytes: 0, payloads: [] };
  const isWide = version >= FIRST_WIDE_VERSION;
  const width = isWide ? 8 : 4;
  const headerBytes = 3 * width + 1;
  const field = (at: number): number =>
    isWide ? view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32 : view.getUint32(at, true);
  const ends: number[] = [];
  let at = FIRST_RECORD_AT;
  for (;;) {
    const limit = ends.at(-1) ?? bytes.length;
    if (at === limit && ends.length > 0) {
      ends.pop();
      continue;
    }
    const start = at;
    const nameAt = endWithin(walk, 'The header of a record', start, headerBytes, limit);
    const end = field(start);
    const count = field(start + width);
    const listBytes = field(start + 2 * width);
    const nameBytes = bytes[nameAt - 1];
    if (end === 0) {
      if (count + listBytes + nameBytes > 0) throw broken('A record that ends a list is not all zeros.', start);
      if (ends.length === 0) return { end: nameAt, payloads: walk.payloads };
      if (nameAt !== limit) throw broken(`A list of records ends ${limit - nameAt} bytes before its record.`, start);
      at = nameAt;
      continue;
    }
    if (nameBytes === 0) throw broken('A record has no name.', start);
    const listAt = endWithin(walk, 'The name of a record', nameAt, nameBytes, limit);
    if (end < listAt) throw broken(`A record says that it ends at byte ${end}, before its own name.`, start);
    endWithin(walk, 'A record', start, end - start, limit);
    const listEnd = endWithin(walk, 'The properties of a record', listAt, listBytes, end);
    at = listAt;
    for (let i = 0; i < count; i++) at = checkProperty(walk, at, listEnd);
    if (at !== listEnd) throw broken(`The properties of a record end ${listEnd - at} bytes early.`, at);
    if (at === end) continue;
    if (ends.length + 1 >= DEEPEST_RECORD) {
      throw new FormatError('FBX_LIMIT', `Records nest deeper than ${DEEPEST_RECORD}.`, { offset: start });
    }
    ends.push(end);
  }
}
