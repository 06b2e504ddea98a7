/** Shows pages in a headless Chromium, and runs a module in one: bundles it, serves it and returns its result. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'rolldown';

/** Path of the browser: `ANYRIG_CHROMIUM` or a common location; null when it is not installed. */
export const CHROMIUM: string | null =
  [process.env['ANYRIG_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  ) ?? null;

/** Size of pages: wide enough for all panels of the studio, and low, since drawing in software takes time for every pixel. */
export const VIEWPORT = { width: 1280, height: 480 };

/** Milliseconds. Starting a browser takes seconds on a busy machine. */
const TIMEOUT = 120_000;

const GL_FLAGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Debian turns it on, and the page itself would be painted by the software GL: 5.6 instead of 3.6 s of its processor time in a visit of the studio.
  '--disable-gpu-rasterization',
];

const FLAGS = [
  ...GL_FLAGS,
  '--headless=new',
  '--disable-gpu-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
];

/**
 * Starts a headless Chromium that tests work step by step. There must be one.
 *
 * @param args More arguments of Chromium.
 * @returns The browser.
 */
export function launchChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM as string, args: [...GL_FLAGS, ...args] });
}

/** The final message of a page: its result or its error. */
interface Message {
  readonly result?: unknown;
  readonly error?: string;
}

/**
 * Bundles a module for the browser.
 *
 * @param entry Path of the module.
 * @returns The code.
 */
export async function bundle(entry: string): Promise<string> {
  const { output } = await build({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['@anyrig/source', 'browser', 'import', 'default'] },
    write: false,
    logLevel: 'silent',
    // Without it, modules that are also imported dynamically are used before they run: the package has no side effects.
    treeshake: false,
    output: { format: 'esm', codeSplitting: false },
  });
  return output[0].code;
}

/** Calls `run` of the entry and sends back its result. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>anyrig</title><canvas id="canvas" width="64" height="64"></canvas>
<script type="module">
const send = (message) => fetch('/done', { method: 'POST', body: JSON.stringify(message) });
addEventListener('unhandledrejection', ({ reason }) => send({ error: String(reason?.stack ?? reason) }));
try {
  const { run } = await import('/page.js');
  await send({ result: await run() });
} catch (error) {
  await send({ error: String(error?.stack ?? error) });
}
</script>`;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Returns the file at a path of the page; null where there is none. The path of the page is `index.html`. */
export type FileOf = (path: string) => Uint8Array | string | null;

function serve(fileOf: FileOf, done: (message: Message) => void): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(url.pathname).slice(1) || 'index.html';
    if (path === 'done') {
      done(JSON.parse(await readBody(request)) as Message);
      return void response.end();
    }
    const file = fileOf(path);
    if (file === null) return void response.writeHead(404).end();
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    // Workers that share memory need an isolated page.
    response
      .setHeader('cross-origin-opener-policy', 'same-origin')
      .setHeader('cross-origin-embedder-policy', 'require-corp');
    response.setHeader('content-type', type).end(file);
  };
  const server = createServer((request, response) => void answer(request, response));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/**
 * Calls the exported function `run` of a module in a page of Chromium and returns its result, which is transferred as JSON.
 *
 * @param entry Path of the module.
 * @param files Files that are served beside the page, by name.
 * @returns The result of `run`.
 * @throws Error with the stack of the page when it fails, and when no result arrives in time.
 */
export async function runInChromium(entry: string, files: Readonly<Record<string, Uint8Array>>): Promise<unknown> {
  const page: Readonly<Record<string, Uint8Array | string>> = {
    ...files,
    'index.html': PAGE,
    'page.js': await bundle(entry),
  };
  return showInChromium((path) => page[path] ?? null);
}

/**
 * Shows a page in Chromium until it posts its result as JSON to `/done`: `{ result }` or `{ error }`.
 *
 * @param fileOf The files of the page.
 * @returns The result.
 * @throws Error with the error of the page, and when no result arrives in time.
 */
export async function showInChromium(fileOf: FileOf): Promise<unknown> {
  const profile = mkdtempSync(join(tmpdir(), 'anyrig-chromium-'));
  let browser: ChildProcess | null = null;
  let server: Server | null = null;
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<Message>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`The page returned no result within ${TIMEOUT / 1000} s`)), TIMEOUT);
      serve(fileOf, resolve).then((listening) => {
        server = listening;
        const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
        browser = spawn(CHROMIUM as string, [...FLAGS, `--user-data-dir=${profile}`, url], {
          stdio: 'ignore',
          detached: true,
        });
        browser.on('error', reject);
        browser.on('exit', (exit) =>
          reject(new Error(`The browser exited with ${exit} before the page returned a result`)),
        );
      }, reject);
    });
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  } finally {
    clearTimeout(timer);
    await endBrowser(browser);
    (server as Server | null)?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Ends the browser and its helper processes, which share its process group. */
async function endBrowser(browser: ChildProcess | null): Promise<void> {
  if (browser?.pid === undefined || browser.exitCode !== null) return;
  const exit = new Promise((resolve) => browser.once('exit', resolve));
  process.kill(-browser.pid, 'SIGKILL');
  await exit;
}
