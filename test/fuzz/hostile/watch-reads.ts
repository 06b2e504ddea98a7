/** Records what is read from disk, with links resolved: a tree of files does not show what was only read. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/** Functions that give content away, or the names in a folder. */
const READERS = [
  'openSync',
  'readFileSync',
  'readdirSync',
  'createReadStream',
  'readlinkSync',
  'copyFileSync',
] as const;

const { realpathSync } = fs;

/** Resolves the links of a path; the file itself need not exist. */
function truePath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(resolve(path));
    return parent === resolve(path) ? parent : join(truePath(parent), basename(path));
  }
}

/** A record of what was read. */
export interface WatchedReads {
  /** Returns the paths that were read since the last call. */
  readonly take: () => string[];
  /** Ends the recording. */
  readonly stop: () => void;
}

/** Starts to record. */
export function watchReads(): WatchedReads {
  const read = new Set<string>();
  const originals = READERS.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const recorded = (path: unknown, ...rest: unknown[]): unknown => {
      if (typeof path === 'string') read.add(truePath(path));
      return (original as (...args: unknown[]) => unknown)(path, ...rest);
    };
    Object.assign(fs, { [name]: recorded });
  }
  syncBuiltinESMExports();
  return {
    take: () => {
      const taken = [...read];
      read.clear();
      return taken;
    },
    stop: () => {
      for (const [name, original] of originals) Object.assign(fs, { [name]: original });
      syncBuiltinESMExports();
    },
  };
}
