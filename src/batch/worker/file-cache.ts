/** Opened files of a worker: a file that several tasks need is read and described once. */
import type { Floats } from '../../core/math/floats.ts';
import { detectFormat } from '../../files/detect.ts';
import { type OpenFile, type OpenOptions, openBytes } from '../../files/open.ts';
import { rigOfUrl } from '../../files/rig-url.ts';
import { createStandardRig } from '../../files/standard-rig.ts';
import type { BatchOpenOptions } from '../plan/batch-task.ts';
import { StorageError } from '../storage/storage-error.ts';
import { type ReadFile, readStoredFile, storedResourceReader } from '../storage/stored-files.ts';

export interface CachedFile {
  readonly file: OpenFile;
  /** Hash of its bytes; see `inspectFiles`. */
  readonly hash: string;
  /** Hashes of the files that it references and that were read so far, by absolute path or URL. */
  readonly resources: Map<string, string>;
  /** Throws when a referenced file was left out because the storage could not be used. */
  readonly check: () => void;
}

interface Entry {
  readonly opened: Promise<CachedFile>;
  /** Bytes of the file and of its clips. */
  own: number;
  /** Bytes of {@link FileCache.weigh}. */
  more: number;
}

export interface FileCache {
  /** Opens a file, or returns the one that is open already. `hash` is the expected content: another one is read again. */
  readonly open: (path: string, hash: string | null, options?: BatchOpenOptions) => Promise<CachedFile>;
  /** Counts more bytes for a file: what was found out about it. */
  readonly weigh: (path: string, bytes: number, options?: BatchOpenOptions) => void;
}

/** Bytes of the keys of all clips. */
function bytesOfClips({ asset }: OpenFile): number {
  const arrays = new Set<Floats>();
  for (const { clips } of asset.clips) {
    for (const { times, values } of clips.flatMap(({ tracks }) => tracks)) arrays.add(times).add(values);
  }
  return Array.from(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** A glTF keeps its clips in the document, so that of a character only the first is read: it can define the reference pose. */
function wantedClips(bytes: Uint8Array, role: 'motion' | 'character'): Pick<OpenOptions, 'wantsClip'> {
  return role === 'character' && detectFormat(bytes) === 'gltf' ? { wantsClip: (_, index) => index === 0 } : {};
}

/** A file that is opened in another way is another one. */
function keyOf(path: string, { frameRate, up }: BatchOpenOptions): string {
  return `${path}\0${frameRate ?? ''}\0${up ?? ''}`;
}

async function openCached(
  path: string,
  { bytes, hash }: ReadFile,
  role: 'motion' | 'character',
  options: BatchOpenOptions,
): Promise<CachedFile> {
  const resources = new Map<string, string>();
  const rig = rigOfUrl(path);
  if (rig !== null) return { file: createStandardRig(rig), hash, resources, check: () => undefined };
  const read = storedResourceReader(path);
  let lost: StorageError | null = null;
  const readResource = async (name: string): Promise<Uint8Array> => {
    try {
      const resource = await read(name);
      resources.set(resource.path, resource.hash);
      return resource.bytes;
    } catch (error) {
      // Readers take an error as a missing file.
      if (error instanceof StorageError) lost = error;
      throw error;
    }
  };
  const check = (): void => {
    if (lost !== null) throw lost;
  };
  try {
    const file = await openBytes(bytes, { ...wantedClips(bytes, role), ...options, name: path, readResource });
    return { file, hash, resources, check };
  } finally {
    check();
  }
}

/**
 * Creates an empty cache. `mostBytes`: bytes of all open files with their clips: beyond them the least recently used files are released; the last
 * one is always kept. `onRelease` receives files that are released.
 */
export function createFileCache(
  role: 'motion' | 'character',
  mostBytes: number,
  onRelease: (path: string) => void = () => undefined,
): FileCache {
  const entries = new Map<string, Entry>();
  let total = 0;
  const add = (entry: Entry, own: number, more: number): void => {
    total += own + more - entry.own - entry.more;
    entry.own = own;
    entry.more = more;
  };
  const release = (key: string): void => {
    const entry = entries.get(key);
    if (entry !== undefined) add(entry, 0, 0);
    entries.delete(key);
    onRelease(key.slice(0, key.indexOf('\0')));
  };
  const releaseOthers = (key: string): void => {
    for (const oldest of [...entries.keys()]) if (total > mostBytes && oldest !== key) release(oldest);
  };
  const open: FileCache['open'] = async (path, hash, options = {}) => {
    const key = keyOf(path, options);
    const known = entries.get(key);
    if (known !== undefined) {
      const cached = await known.opened;
      if (hash === null || cached.hash === hash) {
        entries.delete(key);
        entries.set(key, known);
        return cached;
      }
      release(key);
    }
    const load = async (): Promise<CachedFile> => {
      const read = await readStoredFile(path);
      count(entry, read.bytes.length);
      const cached = await openCached(path, read, role, options);
      count(entry, read.bytes.length + bytesOfClips(cached.file));
      return cached;
    };
    const count = (entry: Entry, own: number): void => {
      if (entries.get(key) !== entry) return;
      add(entry, own, entry.more);
      releaseOthers(key);
    };
    const entry: Entry = { opened: Promise.resolve().then(load), own: 0, more: 0 };
    entries.set(key, entry);
    try {
      return await entry.opened;
    } catch (error) {
      if (entries.get(key) === entry) release(key);
      throw error;
    }
  };
  const weigh: FileCache['weigh'] = (path, bytes, options = {}) => {
    const entry = entries.get(keyOf(path, options));
    if (entry !== undefined) add(entry, entry.own, bytes);
  };
  return { open, weigh };
}
