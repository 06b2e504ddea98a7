/** Keys of results: two tasks with the same key make the same files. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stemOf } from '../../files/clips/clip-names.ts';
import { type BatchTask, inputsOfTask } from './batch-task.ts';

/** SHA-256 of every file by path, hexadecimal; null for a file that cannot be read. */
export type FileHashes = ReadonlyMap<string, string | null>;

/**
 * Computes the SHA-256 of a file without keeping it in memory.
 *
 * @param path Path of the file.
 * @returns The hash, hexadecimal; null when the file cannot be read.
 */
export async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/**
 * Computes the SHA-256 of files one after the other.
 *
 * @param paths Paths; repeated ones are read once.
 * @returns The hashes.
 */
export async function hashFiles(paths: Iterable<string>): Promise<Map<string, string | null>> {
  const hashes = new Map<string, string | null>();
  for (const path of new Set(paths)) hashes.set(path, await hashFile(path));
  return hashes;
}

/** Sorts the keys of objects, so that equal options have the same text. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Computes the key of a task: the hash of everything that its result depends on. Clips are named after files, so their names count, but not their folders.
 *
 * @param task The task.
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
