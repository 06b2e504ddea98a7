/** The built page in Chromium: from the server of `anyrig studio`, and as static files of a host that goes away. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/studio-server/start-server.ts';
import { prepareUserFiles } from '../../../src/studio-server/user-files.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { CHROMIUM, launchChromium, VIEWPORT } from './chromium.ts';
import { builtPage } from './studio-page.ts';

const at = temporaryFolder();
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves the built page as any host does, without headers of its own. */
async function host(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const path = join(folder, url.endsWith('/') ? `${url}index.html` : url);
    if (!existsSync(path)) return response.writeHead(404).end();
    return response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' }).end(readFileSync(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Collects errors of a page, and requests to other servers. */
function watch(page: Page, url: string): string[] {
  const found: string[] = [];
  page.on('console', (message) => message.type() === 'error' && found.push(message.text()));
  page.on('pageerror', ({ message }) => found.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:blob|data):/.test(request.url())) found.push(request.url());
  });
  return found;
}

describe.skipIf(CHROMIUM === null)('the built studio', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await builtPage();
    browser = await launchChromium();
  }, 120_000);
  afterAll(() => browser?.close());

  it('opens the files of the server under its content security policy, without errors', async () => {
    const server = await startServer(folder, await prepareUserFiles([writeDemo(at, 'mixamo.glb', 'served.glb')]), 0);
    const page = await browser.newPage({ viewport: VIEWPORT });
    const errors = watch(page, server.url);
    await page.goto(server.url);
    await page.getByText('served.glb').first().waitFor();
    expect(errors).toEqual([]);
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
    await page.close();
    await server.close();
  }, 120_000);

  it('opens on a static host, and again when the host is gone', async () => {
    const server = await host(folder);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const errors = watch(page, url);
    await page.goto(url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    // The first visit is not served by the service worker: what it still loads needs the host.
    await page.getByRole('button', { name: 'Walk' }).waitFor();
    await page.waitForLoadState('networkidle');
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await page.reload();
    // The worker of the page loads the built-in motions: its code is there too, as are the panels.
    await page.getByRole('button', { name: 'Walk' }).click();
    await page.getByRole('button', { name: /^Open the studio/ }).click();
    for (const name of ['Bones', 'Pose', 'Export']) {
      await page.getByRole('tab', { name }).click();
      await page.locator('#panel > *').first().waitFor();
    }
    expect(errors).toEqual([]);
    await context.close();
  }, 120_000);
});
