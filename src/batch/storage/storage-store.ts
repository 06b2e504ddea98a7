/** Results in S3-compatible storage: what is listed there says which exist. */
import { mapConcurrent } from '../map-concurrent.ts';
import type { ReadyLine } from '../run/journal.ts';
import { createResourceCheck } from '../run/publish.ts';
import { pathsOf, type ResultStore } from '../run/result-store.ts';
import { deleteObject, type ListedObject, listObjects, MOST_REQUESTS } from './s3-client.ts';
import { joinStorageUrl, parseStorageUrl } from './storage-url.ts';
import { checkConditions, keyOfRecord, readRecord, recordPath, type StoredRecord } from './stored-results.ts';

/**
 * Lists the results in a folder of a bucket. Throws StorageError when the storage cannot be used; OptionError (`storage`) for a URL without a
 * bucket and without the client.
 */
export async function createStorageStore(folder: string): Promise<ResultStore> {
  parseStorageUrl(folder);
  const planned = Date.now();
  const start = joinStorageUrl(folder, '');
  const objects = new Map<string, ListedObject>();
  for (const object of await listObjects(start, true)) objects.set(object.url.slice(start.length), object);
  const areUnchanged = createResourceCheck();

  const hasFile = (path: string, etag: string): boolean => objects.get(path)?.etag === etag;
  const find: ResultStore['find'] = async (task, key) => {
    if (!objects.has(recordPath(key))) return null;
    const record = await readRecord(folder, key);
    if (record === null) return null;
    const { line, etags } = record;
    if (line.report === null || !line.files.every(({ path }, k) => hasFile(path, etags[k]))) return null;
    return (await areUnchanged(task, line.resources)) ? { ...line, report: line.report } : null;
  };

  const removeRecord = async (key: string, record: StoredRecord, kept: ReadonlySet<string>): Promise<string[]> => {
    const { line, etags } = record;
    const paths = line.files.map(({ path }) => path).filter((path, k) => !kept.has(path) && hasFile(path, etags[k]));
    for (const path of paths) await deleteObject(joinStorageUrl(folder, path));
    await deleteObject(joinStorageUrl(folder, recordPath(key)));
    return paths;
  };
  const prune: ResultStore['prune'] = async (tasks, current) => {
    const kept = pathsOf(current);
    const currentKeys = new Set(Array.from(current.values(), ({ key }) => key));
    const keys = [...objects.keys()].flatMap((path) => keyOfRecord(path) ?? []);
    const old = keys.filter((key) => !currentKeys.has(key));
    const removed = await mapConcurrent(old, MOST_REQUESTS, async (key) => {
      const record = await readRecord(folder, key);
      if (record === null || (tasks.has(record.line.id) && !current.has(record.line.id))) return [];
      return removeRecord(key, record, kept);
    });
    return removed.flat();
  };

  return {
    find,
    open: () => checkConditions(folder),
    destination: (key) => ({ type: 'storage', url: folder, key, planned }),
    // The worker has written the record.
    publish: async (id, key, { files, resources, report }) => {
      const line: ReadyLine = { state: 'ready', id, key, files, resources, report };
      return () => line;
    },
    prune,
    close: () => undefined,
  };
}
