import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { META_POLICY } from '../../src/studio-server/security-policy.ts';
import { insertFiles, type StudioServer, startServer } from '../../src/studio-server/start-server.ts';
import { prepareUserFiles } from '../../src/studio-server/user-files.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../support/make/demo-files.ts';
import { SCRIPT, writePage } from './page.ts';

const at = temporaryFolder();
writeFileSync(at('secret.txt'), 'secret');
const page = writePage(at('page'));
symlinkSync(at('secret.txt'), at('page/link.txt'));
const FILE = "/files/0/it's%20%231.glb";
const NOTHING = 'The studio has no such file. Open the address that "anyrig studio" has printed.\n';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let server: StudioServer;
beforeAll(async () => {
  server = await startServer(page, await prepareUserFiles([writeDemo(at, 'walk.glb', "it's #1.glb")]), 0);
});
afterAll(() => server.close());

/** Gets a path below the page. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return getWhole(new URL(server.url).pathname + path.slice(1), headers, method);
}

/** Sends a path as it is; `fetch` would normalize it. */
function getWhole(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const sent = request({ host: '127.0.0.1', port, path, headers, method, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('startServer', () => {
  it('serves the page with the list of files', async () => {
    for (const path of ['/', '/index.html', '/?theme=dark']) {
      const { status, headers, body } = await get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(body.toString()).toContain(`[{"name":"it's #1.glb","url":"${FILE.slice(1)}","resources":[]}]`);
    }
  });

  it('serves the files of the page with their types, hashed ones forever', async () => {
    const script = await get(SCRIPT);
    expect([script.body.toString(), script.headers['content-type']]).toEqual([
      'console.log(1);\n',
      'text/javascript; charset=utf-8',
    ]);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const { headers } = await get('/manifest.webmanifest');
    expect([headers['content-type'], headers['cache-control']]).toEqual(['application/manifest+json', 'no-cache']);
  });

  it('serves the files of the user as bytes of no type', async () => {
    const { body, headers } = await get(FILE);
    expect(body.equals(demoBytes('walk.glb'))).toBe(true);
    expect(headers['content-type']).toBe('application/octet-stream');
  });

  it('answers a known ETag with 304, and HEAD without content', async () => {
    const { headers } = await get(SCRIPT);
    expect(headers.etag).toBe(`"${createHash('sha256').update('console.log(1);\n').digest('base64url')}"`);
    const again = await get(SCRIPT, { 'If-None-Match': headers.etag as string });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await get(SCRIPT, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '16', 0]);
  });

  it('sends the security headers with every answer', async () => {
    const answers = [await get('/'), await get(FILE), await get('/nothing'), await get('/', { Host: 'evil.example' })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': `${META_POLICY}; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/files/0/../../../secret.txt',
    '/files/0/%2e%2e%2fsecret.txt',
    '//secret.txt',
    '/link.txt',
    '/.vite/manifest.json',
    '/files/',
    '/files/1/walk.glb',
    '/__proto__',
    '/constructor',
  ])('does not serve %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.toString()]).toEqual([404, NOTHING]);
  });

  it.each(['*', 'http://127.0.0.1/index.html', '/', '//', '/index.html', FILE, SCRIPT])(
    'does not serve %s without the random part of the address',
    async (path) => {
      const { status, body } = await getWhole(path);
      expect([status, body.toString()]).toEqual([404, NOTHING]);
    },
  );

  it('answers methods other than GET and HEAD with 405', async () => {
    const { status, headers } = await get('/', {}, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('answers 404 with the reason for a file that was removed', async () => {
    writeFileSync(at('gone.bvh'), 'HIERARCHY');
    const files = await prepareUserFiles([at('gone.bvh')]);
    rmSync(at('gone.bvh'));
    const other = await startServer(page, files, 0);
    const response = await fetch(new URL('files/0/gone.bvh', other.url));
    expect([response.status, await response.text()]).toEqual([404, 'The file cannot be read: it does not exist\n']);
    await other.close();
  });

  it('listens on 127.0.0.1 only, and rejects for a port in use', async () => {
    const { hostname, port } = new URL(server.url);
    expect(hostname).toBe('127.0.0.1');
    const files = await prepareUserFiles([]);
    await expect(startServer(page, files, Number(port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('ends open connections when it closes', async () => {
    const other = await startServer(page, await prepareUserFiles([]), 0);
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await other.close();
    await ended;
    await expect(fetch(other.url)).rejects.toThrow();
  });
});

describe('insertFiles', () => {
  it('replaces the comment by the files as JSON, which no name can leave', () => {
    const name = '</script><script>alert(1)</script><!--$&.glb';
    const files = [{ name, url: '/files/0/x', resources: [] }];
    const html = insertFiles('<head><!-- anyrig-files --></head>', files);
    const json = /^<head><script type="application\/json" id="anyrig-files">([^<]*)<\/script><\/head>$/.exec(html)?.[1];
    expect(JSON.parse(json as string)).toEqual(files);
  });

  it('throws for a page without the comment', () => {
    expect(() => insertFiles('<head></head>', [])).toThrow('npm run build');
  });
});
