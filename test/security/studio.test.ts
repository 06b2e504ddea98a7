/** The studio's server on a machine with other users. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StudioServer, startServer } from '../../src/studio-server/start-server.ts';
import { prepareUserFiles } from '../../src/studio-server/user-files.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../make/demo-files.ts';
import { SCRIPT, writePage } from '../studio-server/page.ts';

const at = temporaryFolder();
const page = writePage(at('page'));

describe('W3: the address of the studio', () => {
  let server: StudioServer;
  let origin = '';
  beforeAll(async () => {
    server = await startServer(page, await prepareUserFiles([writeDemo(at, 'walk.glb')]), 0);
    ({ origin } = new URL(server.url));
  });
  afterAll(() => server.close());

  it('has a random part without which nothing is served, neither the page nor a file', async () => {
    const { pathname } = new URL(server.url);
    expect(pathname).toMatch(/^\/[\w-]{22}\/$/);
    for (const path of [
      '/',
      '/index.html',
      '/files/0/walk.glb',
      SCRIPT,
      pathname.slice(0, -1),
      `${pathname}../files/0/walk.glb`,
    ]) {
      const response = await fetch(origin + path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain('walk');
    }
    const file = await fetch(new URL('files/0/walk.glb', server.url));
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array(demoBytes('walk.glb')));
  });

  it('is different at every start', async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, async () => startServer(page, await prepareUserFiles([]), 0)),
    );
    const paths = others.flatMap(({ url, onceUrl }) => [new URL(url).pathname, new URL(onceUrl).pathname]);
    await Promise.all(others.map((other) => other.close()));
    expect(new Set(paths).size).toBe(40);
  });

  it('is not among the arguments of the browser, which other users see: that address leads to the page once', async () => {
    const head = await fetch(server.onceUrl, { method: 'HEAD', redirect: 'manual' });
    expect(head.status).toBe(404);
    const first = await fetch(server.onceUrl, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([302, new URL(server.url).pathname]);
    const second = await fetch(server.onceUrl, { redirect: 'manual' });
    expect([second.status, second.headers.get('location')]).toEqual([404, null]);
  });
});
