/** The tables of a binary USD file that its values refer to. */
import type { Issue } from '../../../core/report/issue.ts';
import type { Value } from '../layer/value.ts';
import { type ByteReader, crateError, readUint32 } from './byte-reader.ts';
import type { MemoryBudget } from './crate-limits.ts';
import type { ValueRep } from './value-rep.ts';

/** A file that is being read. */
export interface CrateReader {
  readonly source: ByteReader;
  /** The minor number of the version; the major one is 0. */
  readonly minor: number;
  readonly tokens: readonly string[];
  /** Tokens by the indexes of strings. */
  readonly strings: Uint32Array;
  /** Paths by index; those that are not in the tree are empty. */
  readonly paths: readonly string[];
  readonly budget: MemoryBudget;
  readonly issues: Issue[];
  /** Arrays that were read, by the upper and the lower half of their representation: files store equal ones once. */
  readonly arrays: Map<number, Map<number, Value>>;
}

export function tokenAt(crate: Pick<CrateReader, 'tokens' | 'source'>, index: number): string {
  const token = crate.tokens[index];
  if (token === undefined) {
    throw crateError(`Token ${index} is referred to, of ${crate.tokens.length}`, crate.source.at);
  }
  return token;
}

export function stringAt(crate: CrateReader, index: number): string {
  if (index >= crate.strings.length) {
    throw crateError(`String ${index} is referred to, of ${crate.strings.length}`, crate.source.at);
  }
  return tokenAt(crate, crate.strings[index]);
}

export function pathAt(crate: CrateReader, index: number): string {
  const path = crate.paths[index];
  if (path === undefined) {
    throw crateError(`Path ${index} is referred to, of ${crate.paths.length}`, crate.source.at);
  }
  return path;
}

/** The string whose index comes next. */
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
