/**
 * Results in S3-compatible storage. An object appears with its whole content or not at all, so workers write results under their final names, with conditional
 * requests: of two workers with the same job one writes, and a worker with an old job never replaces the result of a newer run. A record per result, written
 * last, has the report; its name is the key of the result.
 */
import { OutputError } from '../../files/outputs/output-error.ts';
import { listOf, matching, objectOf, type Shape, text } from '../check/shape.ts';
import { type ReadyLine, type RecordedLine, recordedLine } from '../run/journal.ts';
import { type MadeResult, type ResultFile, TaskError } from '../run/task-outcome.ts';
import { sha256 } from '../sha256.ts';
import type { StorageDestination } from '../worker/task-request.ts';
import { getObject, headObject, type PutCondition, putObject } from './s3-client.ts';
import { StorageError } from './storage-error.ts';
import { joinStorageUrl, parseStorageUrl } from './storage-url.ts';

const RECORDS = '.anyrig/results/';
const RECORD_ENDING = '.json';
/** Names of the metadata of results. */
const KEY = 'anyrig-key';
const SHA256 = 'anyrig-sha256';
const PLANNED = 'anyrig-planned';
/** Longest key of an object, bytes of UTF-8: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const LONGEST_KEY = 1024;
/** Attempts to write an object that others write at the same time. */
const ATTEMPTS = 20;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  bvh: 'text/plain; charset=utf-8',
  glb: 'model/gltf-binary',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  usdz: 'model/vnd.usdz+zip',
  vrm: 'model/gltf-binary',
  vrma: 'model/gltf-binary',
};

/** What is stored of a result besides its files. */
export interface StoredRecord {
  readonly line: RecordedLine;
  /** Entity tags of its files, in the same order. */
  readonly etags: readonly string[];
}

const storedRecord: Shape<StoredRecord> = objectOf<StoredRecord>({ line: recordedLine, etags: listOf(text) });

/** Returns the path of the record of a result, relative to the output folder. */
export function recordPath(key: string): string {
  return `${RECORDS}${key}${RECORD_ENDING}`;
}

/** Returns the key of a result. `path`: path of an object relative to the output folder. The key; null for objects that are not records. */
export function keyOfRecord(path: string): string | null {
  if (!path.startsWith(RECORDS) || !path.endsWith(RECORD_ENDING)) return null;
  return path.slice(RECORDS.length, -RECORD_ENDING.length);
}

function mediaTypeOf(url: string): string {
  return MEDIA_TYPES[url.slice(url.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/** Converts errors of writing, which stop a batch as a full disk does. */
async function writing<Result>(url: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new OutputError('CANNOT_WRITE', url, `${url} cannot be written: ${error.message}`);
  }
}

/** Writes an object in place of any other one. Throws OutputError when it cannot be written. */
export async function replaceObject(url: string, bytes: Uint8Array): Promise<void> {
  await writing(url, () => putObject(url, bytes, 'always', { type: mediaTypeOf(url), metadata: {} }));
}

/** Writes an object of a result, unless it is there already, and returns its entity tag. */
async function publishObject(url: string, bytes: Uint8Array, sha256: string, by: StorageDestination): Promise<string> {
  const metadata = { [KEY]: by.key, [SHA256]: sha256, [PLANNED]: String(by.planned) };
  const headers = { type: mediaTypeOf(url), metadata };
  let condition: PutCondition = 'new';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const etag = await putObject(url, bytes, condition, headers);
    if (etag !== null) return etag;
    const there = await headObject(url);
    if (there?.metadata[KEY] === by.key && there.metadata[SHA256] === sha256) return there.etag;
    if (Number(there?.metadata[PLANNED] ?? 0) > by.planned)
      throw new OutputError(
        'CANNOT_WRITE',
        url,
        `${url} was written by a batch that started later; run this one again`,
      );
    condition = there === null ? 'new' : { ifMatch: there.etag };
  }
  throw new OutputError('CANNOT_WRITE', url, `${url} is written by others again and again; end them, then run again`);
}

/**
 * Writes a file of a result under its final name. `path`: path relative to the folder. Throws OutputError when it cannot be written; TaskError when
 * its name is too long.
 */
export async function publishFile(
  by: StorageDestination,
  path: string,
  parts: readonly Uint8Array[],
): Promise<[ResultFile, string]> {
  const bytes = Buffer.concat(parts);
  const hash = sha256(bytes);
  const url = joinStorageUrl(by.url, path);
  if (Buffer.byteLength(parseStorageUrl(url).key) > LONGEST_KEY) {
    const message = `${url} cannot be written: its key is longer than ${LONGEST_KEY} bytes; expected a shorter name`;
    throw new TaskError({ code: 'CANNOT_WRITE', message });
  }
  return [{ path, bytes: bytes.length, sha256: hash }, await writing(url, () => publishObject(url, bytes, hash, by))];
}

/** Writes the record of a result, after its files. Throws OutputError when it cannot be written. */
export async function publishRecord(
  by: StorageDestination,
  id: string,
  { files, resources, report }: MadeResult,
  etags: readonly string[],
): Promise<void> {
  const line: ReadyLine = { state: 'ready', id, key: by.key, files, resources, report };
  const record: StoredRecord = { line, etags };
  await publishFile(by, recordPath(by.key), [new TextEncoder().encode(JSON.stringify(record))]);
}

/** Reads a record. Returns the record; null when it does not exist or is not one. Throws StorageError when the storage cannot be used. */
export async function readRecord(folder: string, key: string): Promise<StoredRecord | null> {
  const content = await getObject(joinStorageUrl(folder, recordPath(key)));
  if (content === null) return null;
  try {
    const record = matching(storedRecord, JSON.parse(new TextDecoder().decode(content.bytes)));
    return record?.line.key === key && record.etags.length === record.line.files.length ? record : null;
  } catch {
    return null;
  }
}

/** Checks whether a result is in storage. Throws StorageError when the storage cannot be used. */
export async function hasStoredResult(by: StorageDestination, files: readonly ResultFile[]): Promise<boolean> {
  const headOf = (path: string): ReturnType<typeof headObject> => headObject(joinStorageUrl(by.url, path));
  const heads = await Promise.all([recordPath(by.key), ...files.map(({ path }) => path)].map(headOf));
  if (!heads.every((head) => head?.metadata[KEY] === by.key)) return false;
  return files.every(({ bytes, sha256 }, k) => {
    const head = heads[k + 1];
    return head?.bytes === bytes && head.metadata[SHA256] === sha256;
  });
}

/**
 * Checks that the storage obeys conditional requests, without which results could be replaced by old ones. Throws OutputError when it does not, or
 * cannot be written.
 */
export async function checkConditions(folder: string): Promise<void> {
  const url = joinStorageUrl(folder, '.anyrig/conditional');
  const headers = { type: 'text/plain; charset=utf-8', metadata: {} };
  const put = (condition: PutCondition): Promise<string | null> =>
    putObject(url, new TextEncoder().encode('anyrig\n'), condition, headers);
  const refuse = (header: string): never => {
    const message = `The storage of ${folder} ignores ${header}; expected one with conditional writes, such as AWS S3. Use other storage, or write into a folder`;
    throw new OutputError('CANNOT_WRITE', url, message);
  };
  await writing(url, async () => {
    // The object may be there from an earlier run.
    if ((await put('new')) !== null && (await put('new')) !== null) refuse('If-None-Match');
    if ((await put({ ifMatch: '"another"' })) !== null) refuse('If-Match');
  });
}
