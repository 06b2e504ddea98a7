import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';
import { refusalOf } from './check-request.ts';
import { SECURITY_HEADERS } from './security-policy.ts';
import type { ServedFile } from './served-file.ts';
import type { OpenedUserFile, UserFiles } from './user-files.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The build puts a hash of the content into the names of these files. */
const HASHED = '/assets/';

/** Lists the files of a folder and its subfolders. Hidden files, which the build leaves for other programs, and links are left out. */
function pageFiles(folder: string): Map<string, ServedFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const served = paths.map((path): [string, ServedFile] => {
    const url = `/${relative(folder, path).split(sep).map(encodeURIComponent).join('/')}`;
    const mediaType = MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
    return [url, { mediaType, isImmutable: url.startsWith(HASHED), read: () => readFile(path) }];
  });
  return new Map(served.filter(([url]) => !url.includes('/.')));
}

/** The comment that the built page has in its head. */
const PLACEHOLDER = '<!-- anyrig-files -->';

/** The JSON of a script element must not contain `</script` or `<!--`: no `<` at all. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

/** Inserts the list of files into the page, as JSON in the element `#anyrig-files`. Throws Error when the page has no such comment. */
export function insertFiles(html: string, files: readonly OpenedUserFile[]): string {
  const [before, after] = html.split(PLACEHOLDER);
  if (after === undefined) throw new Error(`The page has no ${PLACEHOLDER}. Build it again with npm run build.`);
  return `${before}<script type="application/json" id="anyrig-files">${scriptJson(files)}</script>${after}`;
}

const HOST = '127.0.0.1';
/** Bytes of the random part of an address: other users of the machine cannot guess it. */
const SECRET_BYTES = 16;

export interface StudioServer {
  /** Address of the page, with a part that is different for every server: who does not know it reads nothing. */
  readonly url: string;
  /** Address that leads to the page once. Other users see the arguments of programs, and so this address while a browser starts. */
  readonly onceUrl: string;
  readonly close: () => Promise<void>;
}

/** A path that nobody can guess. */
function secretPath(): string {
  return `/${randomBytes(SECRET_BYTES).toString('base64url')}/`;
}

/** Collects everything that is served, by the path of the URL. Other paths do not exist. */
function tableOf(folder: string, files: UserFiles, pagePath: string): Map<string, ServedFile> {
  const table = new Map([...pageFiles(folder), ...files.served]);
  const page = table.get('/index.html');
  if (page === undefined) throw new Error(`The folder ${folder} has no index.html. Build it again with npm run build.`);
  const read = async (): Promise<Uint8Array> => {
    const html = new TextDecoder().decode(await page.read());
    return new TextEncoder().encode(insertFiles(html, files.list));
  };
  table.set('/index.html', { ...page, read }).set('/', { ...page, read });
  return new Map(Array.from(table, ([path, file]) => [pagePath + path.slice(1), file]));
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${text}\n`);
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: ServedFile): Promise<void> {
  const bytes = await file.read();
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': file.mediaType,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: tag,
  };
  if (request.headers['if-none-match'] === tag) response.writeHead(304, headers).end();
  else {
    response.writeHead(200, { ...headers, 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }
}

interface Site {
  readonly table: ReadonlyMap<string, ServedFile>;
  readonly page: string;
  /** Path that leads to the page once; null after that. */
  once: string | null;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site, port: number): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  const { method, headers } = request;
  const refusal = refusalOf({ method, path, headers }, port, site.page);
  if (refusal !== null) {
    return sendText(response, refusal.status, refusal.message, refusal.status === 405 ? { Allow: 'GET, HEAD' } : {});
  }
  if (path === site.once && method === 'GET') {
    site.once = null;
    return sendText(response, 302, 'The studio', { Location: site.page, 'Cache-Control': 'no-store' });
  }
  const file = site.table.get(path);
  if (file === undefined)
    return sendText(response, 404, 'The studio has no such file. Open the address that "anyrig studio" has printed.');
  try {
    await sendFile(request, response, file);
  } catch (error) {
    // A file of the user was removed or replaced by something else after the start.
    sendText(response, 404, error instanceof Error ? error.message : String(error));
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Starts the server on 127.0.0.1. Throws Error `EADDRINUSE` or `EACCES` of Node.js when the port cannot be used; an Error when the folder has no
 * page.
 */
export async function startServer(folder: string, files: UserFiles, port: number): Promise<StudioServer> {
  const page = secretPath();
  const once = secretPath();
  const site: Site = { table: tableOf(folder, files, page), page, once };
  const server = createServer((request, response) => void answer(request, response, site, actual));
  await listen(server, port);
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `http://${HOST}:${actual}${page}`,
    onceUrl: `http://${HOST}:${actual}${once}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
