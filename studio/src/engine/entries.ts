/** The files that are open in the worker. */
import type { OpenFile } from 'anyrig/files';
import type { GltfFile } from '../../../src/files/open-file.ts';

/** A file and what was made of it. */
export interface Entry {
  readonly file: OpenFile;
  /** What the stage shows of it; null before it was needed. */
  display: Promise<GltfFile> | null;
}

/** Files that were opened, by id. */
export const entries: Map<string, Entry> = new Map();

/** Returns an open file. Throws RangeError for a file that is not open. */
export function entryOf(id: string): Entry {
  const entry = entries.get(id);
  if (entry === undefined) throw new RangeError(`The file ${id} is not open; open it first.`);
  return entry;
}
