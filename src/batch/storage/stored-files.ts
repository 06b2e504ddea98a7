/** Inputs of a batch: files on disk and objects of S3-compatible storage. */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FormatError } from '../../core/report/format-error.ts';
import { readInputSync, resourceReader } from '../../files/node/read-input.ts';
import { rigOfUrl } from '../../files/rig-url.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { sha256 } from '../sha256.ts';
import { getObject, headObject, MOST_REQUESTS } from './s3-client.ts';
import { isStorageUrl } from './storage-url.ts';

/** Bytes of a file that are in memory at the same time. */
const CHUNK = 2 ** 20;

interface InspectedFile {
  /** SHA-256 of its content, hexadecimal; of an object `etag:` and its entity tag. */
  readonly hash: string;
  readonly bytes: number;
}

export interface ReadFile {
  readonly bytes: Uint8Array;
  /** As {@link InspectedFile} has it. */
  readonly hash: string;
}

function hashOfObject({ etag }: { readonly etag: string }): string {
  return `etag:${etag}`;
}

/** Reads the path of a standard rig as its content: a rig depends on its name and the version of anyrig only. Null for other paths. */
function readRig(path: string): ReadFile | null {
  if (rigOfUrl(path) === null) return null;
  const bytes = new TextEncoder().encode(path);
  return { bytes, hash: sha256(bytes) };
}

/**
 * Computes the hash of a file without keeping it in memory. An object is not read. Returns hash and size; null when it is no regular file, cannot
 * be read, or the object does not exist. Throws StorageError when the storage cannot be used; OptionError (`storage`) without its client.
 */
export async function inspectFile(path: string): Promise<InspectedFile | null> {
  const rig = readRig(path);
  if (rig !== null) return { hash: rig.hash, bytes: rig.bytes.length };
  if (isStorageUrl(path)) {
    const head = await headObject(path);
    return head === null ? null : { hash: hashOfObject(head), bytes: head.bytes };
  }
  const hash = createHash('sha256');
  try {
    const found = statSync(path);
    // Pipes and devices have no end.
    if (!found.isFile()) return null;
    // A stream takes longer to open than a small file to read.
    if (found.size <= CHUNK) hash.update(readFileSync(path));
    else await pipeline(createReadStream(path, { highWaterMark: CHUNK }), hash);
    return { hash: hash.digest('hex'), bytes: found.size };
  } catch {
    return null;
  }
}

/** Computes the hashes of files. Throws StorageError when the storage cannot be used; OptionError (`storage`) without its client. */
export async function inspectFiles(paths: Iterable<string>): Promise<Map<string, InspectedFile | null>> {
  const distinct = [...new Set(paths)];
  const found = await mapConcurrent(distinct, distinct.some(isStorageUrl) ? MOST_REQUESTS : 1, inspectFile);
  return new Map(distinct.map((path, k) => [path, found[k]]));
}

/** Reads a file. Throws FormatError `FILE_NOT_FOUND` when it cannot be read; StorageError when the storage cannot be used. */
export async function readStoredFile(path: string): Promise<ReadFile> {
  const rig = readRig(path);
  if (rig !== null) return rig;
  if (!isStorageUrl(path)) {
    const bytes = readInputSync(path);
    return { bytes, hash: sha256(bytes) };
  }
  const content = await getObject(path);
  if (content === null) throw new FormatError('FILE_NOT_FOUND', `The file cannot be read: ${path} does not exist`);
  return { bytes: content.bytes, hash: hashOfObject(content) };
}

/** Resolves a path relative to the folder of an object. */
function resourceUrl(file: string, path: string): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const relative = posix.normalize(path);
  if (relative.startsWith('../') || relative === '..' || relative.startsWith('/')) {
    const message = `The file ${path} is outside of the folder of the asset; move it there`;
    throw new FormatError('GLTF_URI_REFUSED', message, { resource: path });
  }
  return folder + relative;
}

/** Creates a reader for the files that a file references: those of its folder and of subfolders. */
export function storedResourceReader(file: string): (path: string) => Promise<ReadFile & { readonly path: string }> {
  if (isStorageUrl(file)) {
    return async (relative) => {
      const path = resourceUrl(file, relative);
      const content = await getObject(path);
      if (content === null) throw new Error('it does not exist');
      return { path, bytes: content.bytes, hash: hashOfObject(content) };
    };
  }
  const read = resourceReader(file);
  return async (relative) => {
    const bytes = await read(relative);
    return { path: resolve(dirname(file), relative), bytes, hash: sha256(bytes) };
  };
}
