/** Code of ours in a real browser: bundled, served to a Chromium without a window, and its result sent back. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';

/** The browser: `ANYRIG_CHROMIUM`, or where Debian and others put it; null where there is none. */
export const CHROMIUM: string | null =
  [process.env['ANYRIG_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  ) ?? null;

/** Starting a browser takes seconds on a machine that does other things as well. */
const TIMEOUT = 120_000;

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
];

/** What the page says when it is done: its result, or why it failed. */
interface Message {
  readonly result?: unknown;
  readonly error?: string;
}

async function bundled(entry: string): Promise<string> {
  const { output } = await build({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['@anyrig/source', 'browser', 'import', 'default'] },
    write: false,
    logLevel: 'silent',
    output: { format: 'esm', codeSplitting: false },
  });
  return output[0].code;
}

/** A module that calls `run` of the entry and sends back what it gives. */
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function serve(
  code: string,
  files: Readonly<Record<string, Uint8Array>>,
  done: (message: Message) => void,
): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    if (path === '') return void response.setHeader('content-type', 'text/html').end(PAGE);
    if (path === 'page.js') return void response.setHeader('content-type', 'text/javascript').end(code);
    if (path === 'done') {
      done(JSON.parse(await bodyOf(request)) as Message);
      return void response.end();
    }
    const file = files[path];
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/octet-stream').end(file);
  };
  const server = createServer((request, response) => void answer(request, response));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/**
 * What the exported function `run` of a module gives in a page of Chromium; its result goes through JSON. `files` are served beside the page, by
 * their names. Error with the stack of the page when it fails there, or when nothing came back in time.
 */
export async function runInChromium(entry: string, files: Readonly<Record<string, Uint8Array>>): Promise<unknown> {
  const code = await bundled(entry);
  const profile = mkdtempSync(join(tmpdir(), 'anyrig-chromium-'));
  let browser: ChildProcess | null = null;
  let server: Server | null = null;
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<Message>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing came back from the page in ${TIMEOUT / 1000} s`)), TIMEOUT);
      serve(code, files, resolve).then((listening) => {
        server = listening;
        const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
        browser = spawn(CHROMIUM as string, [...FLAGS, `--user-data-dir=${profile}`, url], {
          stdio: 'ignore',
          detached: true,
        });
        browser.on('error', reject);
        browser.on('exit', (exit) => reject(new Error(`the browser ended with ${exit} before the page was done`)));
      }, reject);
    });
    if (message.error !== undefined) throw new Error(message.error);
    return message.result;
  } finally {
    clearTimeout(timer);
    await ended(browser);
    (server as Server | null)?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Ends the browser with all its helpers, which are of its process group. */
async function ended(browser: ChildProcess | null): Promise<void> {
  if (browser?.pid === undefined || browser.exitCode !== null) return;
  const exit = new Promise((resolve) => browser.once('exit', resolve));
  process.kill(-browser.pid, 'SIGKILL');
  await exit;
}
