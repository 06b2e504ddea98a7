/**
 * Requests to S3-compatible storage. Endpoint, region and credentials come from the environment of the process, as for all programs that use AWS; they are in
 * no URL, job or message. The client is an optional package.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { importOptional } from '../import-optional.ts';
import { isTransient, statusOf, storageError } from './storage-error.ts';
import { joinStorageUrl, parseStorageUrl, type StorageLocation } from './storage-url.ts';

interface Connection {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  /** Host of the endpoint, without credentials; empty for AWS. */
  readonly host: string;
}

export interface ListedObject {
  readonly url: string;
  /** Entity tag: another one for other content. */
  readonly etag: string;
  readonly bytes: number;
}

/** When an object is written: only as a new one, only in place of the one with an entity tag, or always. */
export type PutCondition = { readonly ifMatch: string } | 'new' | 'always';

/** Milliseconds before the second, third … attempt; the client itself tries each three times within a second. */
const WAITS = [500, 1000, 2000, 4000, 8000];
/** Milliseconds to connect, and of silence on a connection. */
const CONNECT_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 30_000;
export const MOST_REQUESTS = 32;

const VARIABLES = [
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
  'AWS_REGION',
  'AWS_PROFILE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
] as const;

let current: { readonly settings: string; readonly connection: Promise<Connection> } | null = null;

async function connect(): Promise<Connection> {
  // The client would warn on Node 20, in every thread, that its versions of 2027 need a newer one; docs/batch-machines.md says so.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const sdk = await importOptional('storage', '@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const { env } = process;
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'] ?? '';
  const own = {
    // Other servers have no host name per bucket, no regions, and not all of the newer checksums.
    forcePathStyle: true,
    region: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
  const client = new sdk.S3Client({
    ...(endpoint === '' ? {} : own),
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT,
      socketTimeout: SILENCE_TIMEOUT,
      httpAgent: { maxSockets: MOST_REQUESTS },
      httpsAgent: { maxSockets: MOST_REQUESTS },
    },
  });
  return { sdk, client, host: endpoint === '' || !URL.canParse(endpoint) ? '' : new URL(endpoint).host };
}

/** The client of this process; another one after the environment was changed. */
function connection(): Promise<Connection> {
  const settings = JSON.stringify(VARIABLES.map((name) => process.env[name] ?? null));
  if (current?.settings !== settings) current = { settings, connection: connect() };
  return current.connection;
}

/** Sends a request, again and again later while its connection is lost or the server is overloaded. */
async function request<Result>(
  url: string,
  send: (connection: Connection, location: StorageLocation) => Promise<Result>,
): Promise<Result> {
  const location = parseStorageUrl(url);
  const to = await connection();
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(to, location);
    } catch (error) {
      if (attempt === WAITS.length || !isTransient(error)) throw storageError(error, url, location.bucket, to.host);
      // Workers that were cut off at the same time come back at different times.
      await sleep(WAITS[attempt] * (0.5 + Math.random() / 2));
    }
  }
}

/** Runs a request whose object may be missing. A missing bucket has an error of its own, but not in answers to HEAD, which have no content. */
async function orNull<Result>(run: () => Promise<Result>): Promise<Result | null> {
  try {
    return await run();
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null;
    throw error;
  }
}

/**
 * Reads an object. Returns its content; null when it does not exist. Throws StorageError when the storage cannot be used; OptionError (`storage`)
 * without the client.
 */
export function getObject(url: string): Promise<{ readonly bytes: Uint8Array; readonly etag: string } | null> {
  return request(url, ({ sdk, client }, { bucket, key }) =>
    orNull(async () => {
      const found = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
      return { bytes: (await found.Body?.transformToByteArray()) ?? new Uint8Array(), etag: found.ETag ?? '' };
    }),
  );
}

/**
 * Reads what is known of an object. Returns entity tag, size and metadata with names in lower case; null when it does not exist. Throws StorageError when the storage cannot
 * be used; OptionError (`storage`) without the client.
 */
export function headObject(
  url: string,
): Promise<(ListedObject & { readonly metadata: Readonly<Record<string, string>> }) | null> {
  return request(url, ({ sdk, client }, { bucket, key }) =>
    orNull(async () => {
      const head = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }));
      return { url, etag: head.ETag ?? '', bytes: head.ContentLength ?? 0, metadata: head.Metadata ?? {} };
    }),
  );
}

/**
 * Writes an object: it appears with its whole content, or not at all. Returns its entity tag; null when the condition does not hold. Throws
 * StorageError when the storage cannot be used; OptionError (`storage`) without the client.
 */
export function putObject(
  url: string,
  bytes: Uint8Array,
  condition: PutCondition,
  headers: { readonly type: string; readonly metadata: Readonly<Record<string, string>> },
): Promise<string | null> {
  return request(url, async ({ sdk, client }, { bucket, key }) => {
    try {
      const { ETag = '' } = await client.send(
        new sdk.PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentType: headers.type,
          Metadata: { ...headers.metadata },
          ...(condition === 'new' ? { IfNoneMatch: '*' } : {}),
          ...(typeof condition === 'object' ? { IfMatch: condition.ifMatch } : {}),
        }),
      );
      return ETag;
    } catch (error) {
      if (statusOf(error) === 412) return null;
      // An object that is to be replaced has been removed.
      if (typeof condition === 'object') return orNull(() => Promise.reject(error));
      throw error;
    }
  });
}

/** Removes an object. Throws StorageError when the storage cannot be used; OptionError (`storage`) without the client. */
export async function deleteObject(url: string): Promise<void> {
  await request(url, ({ sdk, client }, { bucket, key }) =>
    client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })),
  );
}

/** Lists objects. Throws StorageError when the storage cannot be used; OptionError (`storage`) without the client. */
export async function listObjects(url: string, hasSubfolders: boolean): Promise<ListedObject[]> {
  const { bucket, key } = parseStorageUrl(url);
  const found: ListedObject[] = [];
  let token: string | undefined;
  do {
    const from = token;
    const page = await request(url, ({ sdk, client }) =>
      client.send(
        new sdk.ListObjectsV2Command({
          Bucket: bucket,
          Prefix: key,
          ...(hasSubfolders ? {} : { Delimiter: '/' }),
          ...(from === undefined ? {} : { ContinuationToken: from }),
        }),
      ),
    );
    for (const { Key = '', ETag = '', Size = 0 } of page.Contents ?? [])
      found.push({ url: joinStorageUrl(`s3://${bucket}`, Key), etag: ETag, bytes: Size });
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found;
}
