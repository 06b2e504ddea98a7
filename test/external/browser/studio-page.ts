/** The built studio in a browser: serves it with a page that has the library alone, and works its controls. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RetargetMotionsOptions } from 'anyrig/files';
import { unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { CAST } from '../../../site/cast/cast.ts';
import { bundle, CHROMIUM, launchChromium, VIEWPORT } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LIBRARY = fileURLToPath(new URL('library-page.ts', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};
/** Milliseconds: software rendering on a busy machine is slow. */
export const PATIENCE = 60_000;

/** Folders with files that pages may still read. */
const uploads: string[] = [];

/** A file with its name. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A page, what it complained about, and what it asked other hosts for. */
export interface Visit {
  readonly page: Page;
  readonly complaints: string[];
}

/** The served studio and its browser. */
export interface StudioBrowser {
  /**
   * Opens the studio in a browser profile of its own, and waits for the built-in files. It does not play by itself, as for users who want less motion:
   * drawing in software takes both processors from what is tested.
   */
  visit(): Promise<Visit>;
  /** Opens a link of the studio. Complaints about other hosts are left out. */
  visitLink(query: string): Promise<Visit>;
  /** Opens the first view in a browser that never gets the worker, and measures when it moves. */
  firstView(): Promise<{ readonly page: Page; readonly milliseconds: number }>;
  /** Calls the library in the same browser, whose Math functions differ from those of Node in the last bits. */
  retarget(
    motion: NamedFile,
    character: NamedFile,
    options: RetargetMotionsOptions,
    posed?: NamedFile,
  ): Promise<NamedFile[]>;
  close(): Promise<void>;
}

/** When the newest file below a folder was changed. */
function changedAt(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** Returns the folder of the built page: that of `npm run build` where nothing was changed since, else one that is built once in a run of the tests. */
export async function builtPage(): Promise<string> {
  const built = join(ROOT, 'dist/studio');
  const sources = ['studio', 'src', 'package-lock.json'].map((name) => changedAt(join(ROOT, name)));
  // The service worker is written last.
  const last = join(built, 'sw.js');
  if (existsSync(last) && statSync(last).mtimeMs > Math.max(...sources)) return built;
  const folder = join(tmpdir(), 'built-studio');
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(`${folder}-`);
  // In a process of its own: Vite builds pages for production only without the NODE_ENV of the tests.
  const args = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', join(ROOT, 'studio'), '--outDir', made];
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [...args, '--emptyOutDir', '--logLevel', 'error'], { cwd: ROOT, env });
  try {
    renameSync(made, folder);
  } catch {
    // Another process of this run was faster.
    rmSync(made, { recursive: true });
  }
  return folder;
}

/**
 * Serves the built studio, and starts Chromium.
 *
 * @param args More arguments of Chromium.
 * @returns The studio; null without Chromium.
 */
export async function startStudio(args: readonly string[] = []): Promise<StudioBrowser | null> {
  if (CHROMIUM === null) return null;
  const folder = await builtPage();
  const library = await bundle(LIBRARY);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const send = (type: string, content: string | Uint8Array) => {
      // An isolated page may measure its memory.
      const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
      response.writeHead(200, { 'content-type': type, ...isolated }).end(content);
    };
    if (path === '/library.html')
      return send('text/html', '<!doctype html><script type="module" src="library.js"></script>');
    if (path === '/library.js') return send('text/javascript', library);
    try {
      const file = path.replace(/\/$/, '/index.html');
      send(TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(join(folder, file)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = await launchChromium(args);
  let libraryPage: Promise<Page> | null = null;
  return {
    visit: () => visit(browser, address),
    visitLink: async (query) => {
      const complaints: string[] = [];
      const page = await newPage(browser, complaints);
      await page.goto(`${address}${query}`);
      return { page, complaints };
    },
    firstView: () => firstView(browser, address),
    retarget: async (...job) => {
      libraryPage ??= openLibrary(browser, address);
      return retargetInPage(await libraryPage, ...job);
    },
    close: async () => {
      await browser.close();
      server.close();
      for (const one of uploads) rmSync(one, { recursive: true, force: true });
    },
  };
}

/** Opens an empty page of a new profile. Adds to `complaints` what is wrong in it. */
async function newPage(browser: Browser, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  return page;
}

/** Opens the page once. Adds to `complaints` what the page complains about. */
async function openStudio(browser: Browser, address: string, complaints: string[]): Promise<Page> {
  const page = await newPage(browser, complaints);
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) complaints.push(request.url());
  });
  await page.goto(address);
  try {
    await page.getByRole('button', { name: 'Open the studio' }).click();
    // Characters are listed once they are open; the walk is one of them too.
    await page.locator('aside .item').nth(CAST.length).waitFor();
    await settle(page);
  } catch (error) {
    const shown = await page.locator('body').ariaSnapshot();
    await page.context().close();
    throw new Error(`The page is not ready: ${shown}\n${complaints.join('\n')}`, { cause: error });
  }
  return page;
}

/**
 * Opens the page. While other tests keep both processors busy, Chromium was seen not to start it within a minute: it is opened once more, and what it showed is
 * printed. The complaints are those of both.
 */
async function visit(browser: Browser, address: string): Promise<Visit> {
  const complaints: string[] = [];
  const open = (): Promise<Page> => openStudio(browser, address, complaints);
  const page = await open().catch((error: unknown) => {
    console.log(String(error));
    return open();
  });
  return { page, complaints };
}

/** Opens the page, and waits for the second frame of its motion. */
async function firstView(browser: Browser, address: string): Promise<{ page: Page; milliseconds: number }> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.route('**/worker-*.js', () => {});
  await page.addInitScript(() => {
    const look = setInterval(() => {
      const stage = document.querySelector('anyrig-stage');
      if (stage === null) return;
      clearInterval(look);
      stage.addEventListener('timeupdate', () => {
        if (stage.currentTime > 0 && !('movedAt' in globalThis))
          Object.assign(globalThis, { movedAt: performance.now() });
      });
    }, 5);
  });
  await page.goto(address);
  const moved = await page.waitForFunction(() => (globalThis as { movedAt?: number }).movedAt);
  return { page, milliseconds: (await moved.jsonValue()) as number };
}

/** Opens the page with the library. */
async function openLibrary(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${address}library.html`);
  await page.waitForFunction('globalThis.retarget !== undefined');
  return page;
}

/** A page with the library. */
interface LibraryPage {
  retarget(job: unknown): Promise<{ name: string; base64: string }[]>;
}

async function retargetInPage(
  page: Page,
  motion: NamedFile,
  character: NamedFile,
  options: RetargetMotionsOptions,
  posed?: NamedFile,
): Promise<NamedFile[]> {
  const text = ({ name, bytes }: NamedFile) => ({ name, base64: Buffer.from(bytes).toString('base64') });
  const job = {
    motion: text(motion),
    character: text(character),
    options,
    ...(posed === undefined ? {} : { posed: text(posed) }),
  };
  const files = await page.evaluate((one) => (globalThis as unknown as LibraryPage).retarget(one), job);
  return files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }));
}

/** Waits until the worker is done. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await page.getByText('Ready', { exact: true }).waitFor();
}

/** Opens files as the file dialog does: from the disk, since bytes that the test sends would stay in the memory of the page. */
export async function openFiles(page: Page, ...files: readonly NamedFile[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-upload-'));
  uploads.push(folder);
  const paths = files.map(({ name }) => join(folder, name));
  for (const [k, { bytes }] of files.entries()) writeFileSync(paths[k], bytes);
  await page.locator('input[type=file][multiple]').first().setInputFiles(paths);
  await settle(page);
}

/** Takes all files of the user off the page. */
export async function removeFiles(page: Page): Promise<void> {
  const remove = page.getByRole('button', { name: /^Remove / });
  while ((await remove.count()) > 0) {
    await remove.first().click();
    await settle(page);
  }
}

/** Does what starts a download, and returns the files of a ZIP, or the single file. */
export async function downloaded(page: Page, start: () => Promise<void>): Promise<NamedFile[]> {
  const waiting = page.waitForEvent('download');
  await start();
  const download = await waiting;
  const [name, bytes] = [download.suggestedFilename(), readFileSync(await download.path())];
  if (!name.endsWith('.zip')) return [{ name, bytes }];
  return Object.entries(unzipSync(bytes)).map(([path, content]) => ({ name: path, bytes: content }));
}

/** Presses the button of the result and returns what is downloaded. */
export function takeAway(page: Page): Promise<NamedFile[]> {
  return downloaded(page, () => page.getByRole('button', { name: /^Export [^.]/ }).click());
}
