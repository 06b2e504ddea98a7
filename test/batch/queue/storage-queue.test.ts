/** The lines of docs/batch-machines.md for object storage, as processes of their own: two workers on a Redis server make what a folder has. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionOf, QUEUE } from '../../../src/batch/queue/queue-names.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { blocks, documentText } from '../../support/documents.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { demoBytes, temporaryFolder } from '../../support/make/demo-files.ts';
import { resultsIn } from '../batch-files.ts';
import { KEY_ID, type S3Server, SECRET, startS3 } from '../storage/s3-server.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';

const at = temporaryFolder();
const MINUTES = 5 * 60_000;
const ANYRIG = await bundledProgram('anyrig');
const LIBRARY = { motions: ['turn.bvh', 'wave.vrma'], characters: ['giant.glb', 'chibi.vrm'] };
/** Bytes that are in no output. */
const SECRETS = [SECRET, KEY_ID];

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

describe.skipIf(!HAS_REDIS || !IS_FULL_RUN)('docs/batch-machines.md: object storage', () => {
  const lines = blocks(documentText('docs/batch-machines.md'), 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx anyrig batch') && line.includes('s3://'));
  const children: ChildProcessByStdio<null, Readable, Readable>[] = [];
  let server: S3Server;
  let redis: TestRedis;
  let expected: Map<string, Buffer>;

  /** Starts anyrig in a folder of its own, without the secrets in its arguments. */
  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): { child: (typeof children)[0]; ended: Promise<Ended> } {
    const child = spawn(process.execPath, [ANYRIG, ...args], {
      cwd: at('work'),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
    return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, text }))) };
  }

  /** Arguments of a line of the page, with the queue of the test. */
  function argumentsOf(line: string): string[] {
    const [command] = line.split(/\s#/);
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
    return words.slice(2).map((word) => word.replace('redis://queue:6379', `redis://127.0.0.1:${redis.port}`));
  }

  beforeAll(async () => {
    for (const folder of ['redis', 'work', 'motions', 'characters']) mkdirSync(at(folder));
    server = await startS3();
    redis = await startRedis(at('redis'));
    for (const [folder, names] of Object.entries(LIBRARY)) {
      for (const name of names) {
        writeFileSync(at(folder, name), demoBytes(name));
        server.objects.set(`${folder}/${name}`, {
          bytes: Buffer.from(demoBytes(name)),
          etag: `"${name}"`,
          headers: {},
        });
      }
    }
    const folder = start(['batch', at('motions'), '--onto', at('characters'), '-o', at('out')], {});
    expect(await folder.ended).toMatchObject({ code: 0 });
    expected = resultsIn(at('out'));
    for (const name of expected.keys()) if (name.startsWith('report.')) expected.delete(name);
    expect(expected.size).toBe(4);
  }, MINUTES);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await redis.kill();
    await server.close();
  });

  function expectSame(folder: string): void {
    for (const [name, bytes] of expected)
      expect(server.objects.get(`${folder}/${name}`)?.bytes.equals(bytes)).toBe(true);
    const isReport = (key: string): boolean => /^[^/]+\/report\.(json|html)$/.test(key);
    const keys = [...server.objects.keys()].filter((key) => key.startsWith(`${folder}/`) && !key.includes('/.'));
    expect(keys.filter((key) => !isReport(key))).toHaveLength(expected.size);
    expect(keys.filter(isReport)).toHaveLength(2);
    expect(server.objects.get(`${folder}/report.html`)?.headers['content-type']).toMatch(/^text\/html/);
  }

  it(
    'makes the same files on one machine, and fetches them into a folder',
    async () => {
      const [whole, turns] = lines;
      expect(await start(argumentsOf(whole), server.env).ended).toMatchObject({
        code: 0,
        text: expect.stringMatching(/4 made, 0 unchanged, 0 failed/),
      });
      expectSame('out');
      const again = await start(argumentsOf(whole), server.env).ended;
      expect(again).toMatchObject({ code: 0, text: expect.stringMatching(/0 made, 4 unchanged, 0 failed/) });
      expect(await start(argumentsOf(turns), server.env).ended).toMatchObject({ code: 0 });
      expect(readFileSync(at('work/fetched/giant/turn.glb')).equals(expected.get('giant/turn.glb') as Buffer)).toBe(
        true,
      );
    },
    MINUTES,
  );

  it(
    'makes the same files with two workers, also when requests fail; no secret is in Redis, objects or output',
    async () => {
      const [line] = lines.filter((one) => one.includes('--queue'));
      const queue = new Queue(QUEUE, { connection: connectionOf({ url: `redis://127.0.0.1:${redis.port}` }) });
      let n = 0;
      // Every fifth request fails in one of these ways.
      const failures = [500, 'cut', 'cut-after', 503, 'cut-within'] as const;
      server.fail = () => (++n % 5 === 0 ? failures[(n / 5) % failures.length] : null);
      const url = `redis://127.0.0.1:${redis.port}`;
      const workers = [1, 2].map(() => start(['worker', '--queue', url, '--jobs', '1', '--verbose'], server.env));
      const batch = await start(argumentsOf(line), server.env).ended;
      server.fail = () => null;
      expect(batch).toMatchObject({ code: 0, text: expect.stringMatching(/4 made, 0 unchanged, 0 failed/) });
      expectSame('queued');
      const writes = server.writes.filter((key) => /^queued\/(giant|chibi)\//.test(key));
      expect(writes.sort()).toEqual([...expected.keys()].map((name) => `queued/${name}`).sort());
      await queue.close();
      for (const { child } of workers) child.kill('SIGTERM');
      const ended = await Promise.all(workers.map((worker) => worker.ended));
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      const appendOnly = readFileSync(join(at('redis/appendonlydir'), 'appendonly.aof.1.incr.aof'));
      expect(appendOnly.includes('s3://library/queued')).toBe(true);
      const outputs = [batch.text, ...ended.map(({ text }) => text), appendOnly.toString('latin1')];
      const objects = Array.from(
        server.objects.values(),
        ({ bytes, headers }) => bytes.toString('latin1') + JSON.stringify(headers),
      );
      for (const secret of SECRETS) expect([...outputs, ...objects].some((text) => text.includes(secret))).toBe(false);
    },
    MINUTES,
  );

  it(
    'ends with a message for wrong credentials, a missing bucket, and no credentials at all',
    async () => {
      const args = argumentsOf(lines[0]);
      const wrong = await start(args, { ...server.env, AWS_SECRET_ACCESS_KEY: 'wrong-secret' }).ended;
      expect(wrong).toMatchObject({
        code: 3,
        text: expect.stringMatching(/error STORAGE_REFUSED: .* check AWS_ACCESS_KEY_ID/),
      });
      expect(wrong.text).not.toMatch(/wrong-secret|Node/);
      const nowhere = await start(['batch', 's3://nowhere/in', '--onto', 'a.glb', '-o', 'out'], server.env).ended;
      expect(nowhere).toMatchObject({
        code: 3,
        text: expect.stringMatching(/error STORAGE_BUCKET: The bucket nowhere does not exist at/),
      });
      const env = {
        ...server.env,
        AWS_ACCESS_KEY_ID: '',
        AWS_SECRET_ACCESS_KEY: '',
        AWS_EC2_METADATA_DISABLED: 'true',
        HOME: at('work'),
      };
      expect(await start(args, env).ended).toMatchObject({
        code: 3,
        text: expect.stringMatching(/There are no credentials for s3:\/\/library/),
      });
    },
    MINUTES,
  );
});
