import { stemOf } from '../../files/clips/clip-names.ts';
import { sha256 } from '../sha256.ts';
import { type BatchTask, inputsOfTask } from './batch-task.ts';

/** Hash of every file by path, see `inspectFiles`; null for a file that cannot be read. */
export type FileHashes = ReadonlyMap<string, string | null>;

/** Sorts the keys of objects, so that equal options have the same text. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Computes the key of a task: the hash of everything that its result depends on. Clips are named after files, so their names count, but not their
 * folders. Returns the key, hexadecimal; null when an input cannot be read.
 */
export function taskKey(task: BatchTask, hashes: FileHashes, version: string): string | null {
  const { id, kind, format, options } = task;
  const inputs = inputsOfTask(task).map((path) => ({
    name: stemOf(path),
    hash: hashes.get(path) ?? null,
  }));
  if (kind !== 'pack' && inputs.some(({ hash }) => hash === null)) return null;
  const text = JSON.stringify({ version, id, kind, format, inputs, options }, sorted);
  return sha256(text);
}
