/** What is collected while a binary USD file is written: its bytes, and the tables that values refer to. */
import type { OutBytes } from './out-bytes.ts';
import { bytesOf, outBytes, putBytes, putInt32 } from './out-bytes.ts';
import { addToTree, newPathTree, type PathTree } from './path-tree.ts';
import type { ValueRep } from './value-rep.ts';
import { VERSION } from './value-types.ts';

/** Bytes that were stored, and where. */
interface Stored {
  readonly bytes: Uint8Array;
  readonly rep: ValueRep;
}

/** A file that is being written. */
export interface CrateWriter {
  readonly out: OutBytes;
  readonly tokens: Map<string, number>;
  /** Indexes of strings, in order; the token of each is in `stringTokens`. */
  readonly strings: Map<string, number>;
  readonly stringTokens: number[];
  readonly paths: PathTree;
  /** Stored values by a hash of their type and bytes: what is equal is stored once. */
  readonly stored: Map<number, Stored[]>;
  /** The oldest version that knows all that was written. */
  minor: number;
}

/** Not the name of anything: the index of the token of a property is stored negated, which 0 does not show. */
const TOKEN_0 = ';-)';

export function crateWriter(): CrateWriter {
  return {
    out: outBytes(),
    tokens: new Map([[TOKEN_0, 0]]),
    strings: new Map(),
    stringTokens: [],
    paths: newPathTree(),
    stored: new Map(),
    minor: VERSION.payloadOffsets,
  };
}

/** Raises the version to one that knows a feature. */
export function needVersion(writer: CrateWriter, minor: number): void {
  writer.minor = Math.max(writer.minor, minor);
}

/** The index of a token, which is added when it is new. */
export function addToken(writer: CrateWriter, token: string): number {
  const known = writer.tokens.get(token);
  if (known !== undefined) return known;
  if (token.includes('\0')) {
    throw new RangeError(`Binary USD cannot store texts with the character NUL in them: ${JSON.stringify(token)}`);
  }
  const index = writer.tokens.size;
  writer.tokens.set(token, index);
  return index;
}

/** The index of a string, which is added when it is new. */
export function addString(writer: CrateWriter, text: string): number {
  const known = writer.strings.get(text);
  if (known !== undefined) return known;
  const index = writer.strings.size;
  writer.strings.set(text, index);
  writer.stringTokens.push(addToken(writer, text));
  return index;
}

/** The index of a path, which is added when it is new, with those above it. */
export function addPath(writer: CrateWriter, path: string): number {
  return addToTree(writer.paths, path);
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

/** FNV-1a, over words of four bytes where they are aligned. */
function hashBytes(bytes: Uint8Array, seed: number): number {
  const isAligned = bytes.byteOffset % 4 === 0;
  const words = isAligned ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2) : bytes;
  let hash = seed ^ bytes.length ^ 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
  for (let i = isAligned ? words.length * 4 : words.length; i < bytes.length; i++) {
    hash = Math.imul(hash ^ bytes[i], 0x01000193);
  }
  return hash;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The representation of a value of a kind that is stored as these bytes: the known one, or that of the value which `store` writes. */
export function storeOnce(
  writer: CrateWriter,
  kind: number,
  numbers: ArrayBufferView,
  store: (bytes: Uint8Array) => ValueRep,
): ValueRep {
  // Equal bytes are to have equal hashes, wherever they are.
  const viewed = bytesOf(numbers);
  const bytes = viewed.byteOffset % 4 === 0 ? viewed : viewed.slice();
  const hash = hashBytes(bytes, kind);
  const bucket = writer.stored.get(hash) ?? [];
  const known = bucket.find(
    (one) => (one.rep.high >>> 16 === kind || one.rep.high >>> 16 === (kind | 0x2000)) && isSame(one.bytes, bytes),
  );
  if (known !== undefined) return known.rep;
  const rep = store(bytes);
  bucket.push({ bytes, rep });
  writer.stored.set(hash, bucket);
  return rep;
}

/** Lets `write` put a value at the end of the file, with nothing nested inside; takes it back if the same bytes are there already. */
export function writeOnce(writer: CrateWriter, repOf: (offset: number) => ValueRep, write: () => void): ValueRep {
  const start = writer.out.at;
  write();
  const bytes = writer.out.bytes.slice(start, writer.out.at);
  writer.out.at = start;
  const rep = repOf(start);
  return storeOnce(writer, rep.high >>> 16, bytes, () => {
    putBytes(writer.out, bytes);
    return rep;
  });
}
