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

export function tokenAt(crate: Pick<CrateReader, 'tokens' | 'source'>, index: number): string {
  const token = crate.tokens[index];
  if (token === undefined) {
    throw crateError(
      `Found a reference to token ${index}, but the file has ${crate.tokens.length} tokens`,
      crate.source.at,
    );
  }
  return token;
}

export function stringAt(crate: CrateReader, index: number): string {
  if (index >= crate.strings.length) {
    throw crateError(
      `Found a reference to string ${index}, but the file has ${crate.strings.length} strings`,
      crate.source.at,
    );
  }
  return tokenAt(crate, crate.strings[index]);
}

export function pathAt(crate: CrateReader, index: number): string {
  const path = crate.paths[index];
  if (path === undefined) {
    throw crateError(
      `Found a reference to path ${index}, but the file has ${crate.paths.length} paths`,
      crate.source.at,
    );
  }
  return path;
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
