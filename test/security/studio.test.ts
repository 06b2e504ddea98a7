/** The studio's server on a machine with other users. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StudioServer, startServer } from '../../src/studio-server/start-server.ts';
import { prepareUserFiles } from '../../src/studio-server/user-files.ts';
import { SCRIPT, writePage } from '../studio-server/page.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';

const at = temporaryFolder();
const page = writePage(at('page'));
const walk = at('walk.glb');
writeFileSync(walk, 'the content of a file of the user');

/** Sends a request as it is; returns the first line of the answer, and all of it. */
async function sendTo(port: number | string, text: string): Promise<[first: string, all: string]> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(text);
  let all = '';
  for await (const part of socket) all += String(part);
  return [all.split('\r\n')[0].replace('HTTP/1.1 ', ''), all];
}

describe('W3: the address of the studio', () => {
  let server: StudioServer;
  let origin = '';
  beforeAll(async () => {
    server = await startServer(page, await prepareUserFiles([walk]), 0);
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
    expect(await file.text()).toBe('the content of a file of the user');
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
    const { pathname, host, port } = new URL(server.onceUrl);
    const ask = (method: string): ReturnType<typeof sendTo> =>
      sendTo(port, `${method} ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect((await ask('HEAD'))[0]).toBe('404 Not Found');
    const [first, all] = await ask('GET');
    expect(first).toBe('302 Found');
    expect(all).toContain(`Location: ${new URL(server.url).pathname}\r\n`);
    const [second, rest] = await ask('GET');
    expect(second).toBe('404 Not Found');
    expect(rest).not.toContain('Location');
  });
});

describe('tries against the server of the studio that were safe', () => {
  let server: StudioServer;
  let port = 0;
  let base = '';
  beforeAll(async () => {
    writeFileSync(at('secret.txt'), 'secret');
    server = await startServer(page, await prepareUserFiles([walk]), 0);
    const url = new URL(server.url);
    port = Number(url.port);
    base = url.pathname;
  });
  afterAll(() => server.close());

  const send = (text: string): ReturnType<typeof sendTo> => sendTo(port, text);
  const host = (): string => `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`;
  const get = (path: string, headers = host()): Promise<[string, string]> =>
    send(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);

  it('4.1: hosts of others are refused', async () => {
    for (const name of [
      'evil.example',
      `127.0.0.1.nip.io:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
    ])
      expect((await get(base, `Host: ${name}\r\nConnection: close\r\n`))[0]).toBe('403 Forbidden');
    expect((await get(base, 'Connection: close\r\n'))[0]).toBe('400 Bad Request');
    expect((await get(`http://127.0.0.1:${port}${base}`))[0]).toBe('404 Not Found');
  });

  it('4.2: pages of others read nothing', async () => {
    for (const header of ['Origin: https://evil.example', 'Origin: null', `Origin: http://127.0.0.1:${port + 1}`])
      expect((await get(base, `${host()}${header}\r\n`))[0]).toBe('403 Forbidden');
    for (const site of ['cross-site', 'same-site']) {
      const iframe = `Sec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n`;
      expect((await get(base, host() + iframe))[0]).toBe('403 Forbidden');
      const link = iframe.replace('iframe', 'document');
      expect((await get(`${base}files/0/walk.glb`, host() + link))[0]).toBe('403 Forbidden');
    }
  });

  it('4.3: methods that change something are refused', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])
      expect((await send(`${method} ${base} HTTP/1.1\r\n${host()}\r\n`))[0]).toBe('405 Method Not Allowed');
    expect((await send(`CONNECT evil.example:80 HTTP/1.1\r\n${host()}\r\n`))[1]).toBe('');
  });

  it('4.4: no path leads out of the table', async () => {
    const tries = [
      '../secret.txt',
      '%2e%2e/secret.txt',
      '..%2fsecret.txt',
      '/secret.txt',
      '.vite/manifest.json',
      '__proto__',
    ];
    for (const path of [...tries, 'files/0/../../../secret.txt', 'files/0/%2e%2e%2f%2e%2e%2fsecret.txt']) {
      const [first, all] = await get(base + path);
      expect([path, first]).toEqual([path, '404 Not Found']);
      expect(all).not.toContain('\r\n\r\nsecret');
    }
  });

  it('4.5: odd requests are answered or refused, and the server lives', async () => {
    expect((await get(base, `${host()}Range: bytes=0-3\r\n`))[0]).toBe('200 OK');
    expect((await get(base, `${host()}X: ${'x'.repeat(20_000)}\r\n`))[0]).toBe('431 Request Header Fields Too Large');
    expect((await get(`/${'x'.repeat(15_000)}`))[0]).toBe('404 Not Found');
    expect((await get(base, `${host()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`))[0]).toBe(
      '400 Bad Request',
    );
    expect((await get(base, `${host()}Upgrade: websocket\r\n`))[0]).toBe('200 OK');
  });

  it('4.6: hundreds of requests that are never finished do not keep others waiting', async () => {
    const open = Array.from({ length: 500 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    for (const socket of open) socket.write('GET / HT');
    const start = performance.now();
    expect((await get(base))[0]).toBe('200 OK');
    expect(performance.now() - start).toBeLessThan(2000);
    for (const socket of open) socket.destroy();
  });

  it('4.7: all answers have the policies, and files of the user have no type that a browser runs', async () => {
    for (const path of [base, `${base}files/0/walk.glb`, '/', `${base}nothing`]) {
      const [, all] = await get(path);
      for (const header of [
        "Content-Security-Policy: default-src 'none'",
        'X-Content-Type-Options: nosniff',
        'Cross-Origin-Opener-Policy: same-origin',
        'Cross-Origin-Embedder-Policy: require-corp',
        'Cross-Origin-Resource-Policy: same-origin',
      ])
        expect(all).toContain(header);
      expect(all).not.toContain('Access-Control-Allow-Origin');
    }
    expect((await get(`${base}files/0/walk.glb`))[1]).toContain('Content-Type: application/octet-stream');
  });

  it('4.10: it listens on 127.0.0.1 only', async () => {
    await expect(fetch(`http://127.0.0.2:${port}${base}`)).rejects.toThrow();
  });
});
