/** Gives the readers of values access to a binary USD file: its bytes and its tables of tokens, strings and paths. */
import type { Issue } from '../../../core/report/issue.ts';
import type { Value } from '../layer/value.ts';
import { type ByteReader, crateError, readUint32 } from './byte-reader.ts';
import type { MemoryBudget } from './crate-limits.ts';
import type { ValueRep } from './value-rep.ts';

export interface CrateReader {
  readonly source: ByteReader;
  /** Minor number of the version; the major number is 0. */
  readonly minor: number;
  readonly tokens: readonly string[];
  /** Token indices by string index. */
  readonly strings: Uint32Array;
  /** Paths by index; empty for paths that are not in the tree. */
  readonly paths: readonly string[];
  readonly budget: MemoryBudget;
  /** Problems found so far; readers append to it. */
  readonly issues: Issue[];
  /** Arrays that were read, by the upper and then the lower half of their value rep. Files store equal arrays once. */
  readonly arrays: Map<number, Map<number, Value>>;
}

function itemAt<Item>(list: ArrayLike<Item>, index: number, kind: string, { at }: ByteReader): Item {
  if (index < list.length) return list[index];
  throw crateError(`Found a reference to ${kind} ${index}, but the file has ${list.length} ${kind}s`, at);
}

export function tokenAt(crate: Pick<CrateReader, 'tokens' | 'source'>, index: number): string {
  return itemAt(crate.tokens, index, 'token', crate.source);
}

export function stringAt(crate: CrateReader, index: number): string {
  return tokenAt(crate, itemAt(crate.strings, index, 'string', crate.source));
}

export function pathAt(crate: CrateReader, index: number): string {
  return itemAt(crate.paths, index, 'path', crate.source);
}

export function readIndexedString(crate: CrateReader): string {
  return stringAt(crate, readUint32(crate.source));
}

export function readIndexedToken(crate: CrateReader): string {
  return tokenAt(crate, readUint32(crate.source));
}

export function readIndexedPath(crate: CrateReader): string {
  return pathAt(crate, readUint32(crate.source));
}

export function readRep(source: ByteReader): ValueRep {
  const low = readUint32(source);
  return { low, high: readUint32(source) };
}
