/** Collects a binary USD file while it is written: its bytes, and its tables of tokens, strings and paths. */
import type { ByteWriter } from './byte-writer.ts';
import { bytesOf, createByteWriter, putInt32 } from './byte-writer.ts';
import { VERSION } from './data-types.ts';
import { addPathToTree, createPathTree, type PathTree } from './path-tree.ts';
import { isCompressedRep, type ValueRep } from './value-rep.ts';

/** A written value. Its bytes are in the file; uncompressed bytes of compressed values are kept here. */
interface StoredValue {
  readonly rep: ValueRep;
  readonly at: number;
  readonly size: number;
  readonly bytes: Uint8Array | null;
}

export interface CrateWriter {
  readonly out: ByteWriter;
  readonly tokens: Map<string, number>;
  readonly strings: Map<string, number>;
  readonly stringTokens: number[];
  readonly paths: PathTree;
  /** Written values by a hash of their type and bytes, or by the next free number. Equal values are stored once. */
  readonly stored: Map<number, StoredValue>;
  /** Minor number of the oldest version that supports everything written so far. */
  minor: number;
}

/** A token that names nothing. The path table stores token indices of properties negated, which is impossible for index 0. */
const TOKEN_0 = ';-)';

export function createCrateWriter(): CrateWriter {
  return {
    out: createByteWriter(),
    tokens: new Map([[TOKEN_0, 0]]),
    strings: new Map(),
    stringTokens: [],
    paths: createPathTree(),
    stored: new Map(),
    minor: VERSION.payloadOffsets,
  };
}

/** Raises the version of the file to one that supports a feature. */
export function requireVersion(writer: CrateWriter, minor: number): void {
  writer.minor = Math.max(writer.minor, minor);
}

export function addToken(writer: CrateWriter, token: string): number {
  const known = writer.tokens.get(token);
  if (known !== undefined) return known;
  if (token.includes('\0')) {
    throw new RangeError(
      `Binary USD cannot store the text ${JSON.stringify(token)}, because it contains the character NUL; remove the character`,
    );
  }
  const index = writer.tokens.size;
  writer.tokens.set(token, index);
  return index;
}

export function addString(writer: CrateWriter, text: string): number {
  const known = writer.strings.get(text);
  if (known !== undefined) return known;
  const index = writer.strings.size;
  writer.strings.set(text, index);
  writer.stringTokens.push(addToken(writer, text));
  return index;
}

/** Adds a path and its ancestors if they are new. */
export function addPath(writer: CrateWriter, path: string): number {
  return addPathToTree(writer.paths, path);
}

export function putToken(writer: CrateWriter, token: string): void {
  putInt32(writer.out, addToken(writer, token));
}

export function putString(writer: CrateWriter, text: string): void {
  putInt32(writer.out, addString(writer, text));
}

export function putPath(writer: CrateWriter, path: string): void {
  putInt32(writer.out, addPath(writer, path));
}

export function putRep(writer: CrateWriter, { low, high }: ValueRep): void {
  putInt32(writer.out, low);
  putInt32(writer.out, high);
}

/** Computes the FNV-1a hash of bytes, four at a time. */
function hashBytes(view: DataView, start: number, size: number, seed: number): number {
  let hash = seed ^ size ^ 0x811c9dc5;
  const end = start + size;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = Math.imul(hash ^ view.getInt32(at, true), 0x01000193);
  for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
  return hash;
}

function isSame({ out }: CrateWriter, stored: StoredValue, bytes: Uint8Array, start: number, size: number): boolean {
  if (stored.size !== size) return false;
  const known = stored.bytes ?? out.bytes;
  for (let i = 0; i < size; i++) if (known[stored.at + i] !== bytes[start + i]) return false;
  return true;
}

/** Finds the stored value of a kind with these bytes; else returns the free key for it. */
function findStored(
  writer: CrateWriter,
  kind: number,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  size: number,
): StoredValue | number {
  for (let key = hashBytes(view, start, size, kind); ; key = (key + 1) | 0) {
    const known = writer.stored.get(key);
    if (known === undefined) return key;
    const knownKind = known.rep.high >>> 16;
    if ((knownKind === kind || knownKind === (kind | COMPRESSED_KIND)) && isSame(writer, known, bytes, start, size)) {
      return known;
    }
  }
}

/** The compression flag in the upper 16 bits of a value rep. */
const COMPRESSED_KIND = 0x2000;

/** Scratch buffer for small values, since creating byte views of many small arrays is slow. */
const SMALL = new Uint8Array(128);
const SMALL_VIEW = new DataView(SMALL.buffer);
const SMALL_NUMBERS = new Map<unknown, { set(numbers: ArrayLike<unknown>): void }>(
  [Uint8Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array].map(
    (type) => [type, new type(SMALL.buffer)],
  ),
);

/** Stores numbers unless the file already has the same numbers of the same kind. */
export function storeOnce(
  writer: CrateWriter,
  kind: number,
  numbers: ArrayBufferView & ArrayLike<unknown>,
  store: (bytes: Uint8Array) => ValueRep,
): ValueRep {
  const size = numbers.byteLength;
  const small = size <= SMALL.length ? SMALL_NUMBERS.get(numbers.constructor) : undefined;
  small?.set(numbers);
  const bytes = small === undefined ? bytesOf(numbers) : SMALL.subarray(0, size);
  const view = small === undefined ? new DataView(bytes.buffer, bytes.byteOffset, size) : SMALL_VIEW;
  const found = findStored(writer, kind, bytes, view, 0, size);
  if (typeof found !== 'number') return found.rep;
  const rep = store(bytes);
  // Uncompressed bytes are now at the end of the file.
  const stored = isCompressedRep(rep)
    ? { rep, at: 0, size, bytes: small === undefined ? bytes : bytes.slice() }
    : { rep, at: writer.out.at - size, size, bytes: null };
  writer.stored.set(found, stored);
  return rep;
}

/** Writes a value without nested values at the end of the file, and removes it again if the file already has the same bytes of the same kind. */
export function writeOnce(writer: CrateWriter, repOf: (offset: number) => ValueRep, write: () => void): ValueRep {
  const { out } = writer;
  const start = out.at;
  write();
  const size = out.at - start;
  const rep = repOf(start);
  const found = findStored(writer, rep.high >>> 16, out.bytes, out.view, start, size);
  if (typeof found === 'number') {
    writer.stored.set(found, { rep, at: start, size, bytes: null });
    return rep;
  }
  out.at = start;
  return found.rep;
}
