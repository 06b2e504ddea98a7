/** Keys of results: two tasks with the same key make the same files. */
import { createHash } from 'node:crypto';
import { stemOf } from '../../files/clips/clip-names.ts';
import { inspectFiles } from '../storage/stored-files.ts';
import { type BatchTask, inputsOfTask } from './batch-task.ts';

/** Hash of every file by path, see {@link hashFiles}; null for a file that cannot be read. */
export type FileHashes = ReadonlyMap<string, string | null>;

/**
 * Computes the hashes of files: the SHA-256 of files on disk, one after the other, and the entity tags of objects.
 *
 * @param paths Paths, and URLs of objects (`s3://`); repeated ones are read once.
 * @returns The hashes.
 * @throws OptionError (`storage`) when the client of object storage is not installed; an Error when the storage cannot be used.
 */
export async function hashFiles(paths: Iterable<string>): Promise<Map<string, string | null>> {
  const found = await inspectFiles(paths);
  return new Map(Array.from(found, ([path, file]) => [path, file?.hash ?? null]));
}

/** Sorts the keys of objects, so that equal options have the same text. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Computes the key of a task: the hash of everything that its result depends on. Clips are named after files, so their names count, but not their folders.
 *
 * @param hashes Hashes of its inputs.
 * @param version Version of anyrig.
 * @returns The key, hexadecimal; null when an input cannot be read.
 */
export function taskKey(task: BatchTask, hashes: FileHashes, version: string): string | null {
  const { id, kind, format, options } = task;
  const inputs = inputsOfTask(task).map((path) => ({
    name: stemOf(path),
    hash: hashes.get(path) ?? null,
  }));
  if (kind !== 'pack' && inputs.some(({ hash }) => hash === null)) return null;
  const text = JSON.stringify({ version, id, kind, format, inputs, options }, sorted);
  return createHash('sha256').update(text).digest('hex');
}
