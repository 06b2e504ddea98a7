/**
 * An S3-compatible server in memory: verifies signatures (AWS Signature Version 4), has conditional PUT, lists with continuation, and fails as it is told.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Key of the credentials that the server accepts. */
export const KEY_ID = 'AKIDTESTANYRIG';
/** Their secret, which must be in no file, message or job. */
export const SECRET = 'wJalrXUtnFEMI-secret-of-the-test';
/** The bucket that exists. */
export const BUCKET = 'library';

/** What a request is answered with, instead of its result: a status, a cut of the connection before or after it has its effect, or within the answer. */
export type InjectedFailure = number | 'cut' | 'cut-after' | 'cut-within';

/** An object of the server. */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server that runs. */
export interface S3Server {
  /** Environment of its clients. */
  readonly env: Readonly<Record<string, string>>;
  /** Objects of {@link BUCKET} by key. */
  readonly objects: Map<string, StoredObject>;
  /** Requests that were answered, such as `PUT out/hero/walk.glb 200`. */
  readonly log: string[];
  /** Keys of PUT requests that had an effect, also where their answer was lost. */
  readonly writes: string[];
  /** Decides before each request how it fails; null lets it succeed. */
  fail: (method: string, key: string) => InjectedFailure | null;
  /** Which conditions PUT obeys. */
  isConditional: boolean | 'new';
  readonly close: () => Promise<void>;
}

const PAGE = 7;

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Code of the error in the credentials and signature of a request; null when they are right. */
function refusalOf(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const header = String(request.headers['authorization'] ?? '');
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, keyId, date, region, names = '', signature] = parts.exec(header) ?? [];
  if (keyId === undefined) return 'AccessDenied';
  if (keyId !== KEY_ID) return 'InvalidAccessKeyId';
  const content = String(request.headers['x-amz-content-sha256']);
  if (content !== 'UNSIGNED-PAYLOAD' && content !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/');
  const canonical = [request.method, path, query.join('&'), headers.join(''), names, content].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, String(date)));
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function xml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

function errorOf(status: number, code: string): Answer {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} for ${KEY_ID}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

function list(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): Answer {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const isInside = (key: string): boolean =>
    key.startsWith(prefix) && (delimiter === '' || !key.slice(prefix.length).includes(delimiter));
  const keys = [...objects.keys()].filter((key) => isInside(key) && key > after).sort();
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { etag, bytes } = objects.get(key) as StoredObject;
    return `<Contents><Key>${xml(key)}</Key><ETag>${xml(etag)}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const token = Buffer.from(page.at(-1) ?? '').toString('base64');
  const next = keys.length > PAGE ? `<NextContinuationToken>${token}</NextContinuationToken>` : '';
  const head = `<Name>${BUCKET}</Name><IsTruncated>${keys.length > PAGE}</IsTruncated>${next}`;
  return { status: 200, body: `<?xml version="1.0"?><ListBucketResult>${head}${contents.join('')}</ListBucketResult>` };
}

function put(server: S3Server, key: string, request: IncomingMessage, bytes: Buffer): Answer {
  const there = server.objects.get(key);
  const { 'if-none-match': none, 'if-match': match } = request.headers;
  if (server.isConditional !== false && none === '*' && there !== undefined) return errorOf(412, 'PreconditionFailed');
  if (server.isConditional === true) {
    if (match !== undefined && there === undefined) return errorOf(404, 'NoSuchKey');
    if (match !== undefined && there?.etag !== match) return errorOf(412, 'PreconditionFailed');
  }
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const names = Object.keys(request.headers).filter(
    (name) => name === 'content-type' || name.startsWith('x-amz-meta-'),
  );
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
  server.objects.set(key, { bytes, etag, headers });
  server.writes.push(key);
  return { status: 200, headers: { etag } };
}

function answerOf(server: S3Server, request: IncomingMessage, body: Buffer): Answer {
  const url = new URL(request.url ?? '/', 'http://host');
  const [, bucket, key] = /^\/([^/]*)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? [];
  const refusal = refusalOf(request, url, body);
  if (refusal !== null) return errorOf(403, refusal);
  if (bucket !== BUCKET) return errorOf(404, 'NoSuchBucket');
  if (request.method === 'PUT') return put(server, key, request, body);
  if (request.method === 'DELETE') {
    server.objects.delete(key);
    return { status: 204 };
  }
  if (key === '') return list(server.objects, url.searchParams);
  const found = server.objects.get(key);
  if (found === undefined) return errorOf(404, 'NoSuchKey');
  return { status: 200, headers: { ...found.headers, etag: found.etag }, body: found.bytes };
}

async function handle(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = '' } = request;
  const key = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname).slice(`/${BUCKET}/`.length);
  const failure = server.fail(method, key);
  if (failure === 'cut') return void request.socket.destroy();
  const {
    status,
    headers = {},
    body = '',
  } = typeof failure === 'number' ? errorOf(failure, 'InternalError') : answerOf(server, request, Buffer.concat(parts));
  server.log.push(`${method} ${key} ${failure ?? status}`);
  if (failure === 'cut-after') return void request.socket.destroy();
  const content = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': content.length });
  if (failure === 'cut-within') response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
  else response.end(method === 'HEAD' || status === 204 ? undefined : content);
}

/** Starts a server with an empty bucket. */
export async function startS3(): Promise<S3Server> {
  const sockets = new Set<Socket>();
  const http = createServer((request, response) => void handle(server, request, response).catch(() => undefined));
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const server: S3Server = {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-test-1',
      AWS_ACCESS_KEY_ID: KEY_ID,
      AWS_SECRET_ACCESS_KEY: SECRET,
    },
    objects: new Map(),
    log: [],
    writes: [],
    fail: () => null,
    isConditional: true,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

/** Leaves all repetition to `s3-client`, whose waits tests can skip: the client of AWS also repeats, and waits. */
export const NO_RETRIES: Readonly<Record<string, string>> = { AWS_MAX_ATTEMPTS: '1' };

/** Uses a server in this process until it ends. Returns a function that restores the environment. */
export function useS3(server: S3Server, changed: Readonly<Record<string, string>> = {}): () => void {
  const env = { ...server.env, ...changed };
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
