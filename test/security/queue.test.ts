/** Queues in which anyone can write: workers that lie, jobs that reach for other files, servers that are away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkJob } from '../../src/batch/check/check-job.ts';
import { ShapeError } from '../../src/batch/check/shape.ts';
import { createQueueMetrics } from '../../src/batch/queue/queue-metrics.ts';
import { connectionOf, isQueueUrl, QUEUE, type QueueJob } from '../../src/batch/queue/queue-names.ts';
import { createQueuePool } from '../../src/batch/queue/queue-pool.ts';
import { startQueueWorker } from '../../src/batch/queue/queue-worker.ts';
import { runBatch } from '../../src/batch/run/run-batch.ts';
import type { TaskOutcome } from '../../src/batch/run/task-outcome.ts';
import { readMetrics } from '../../src/cli/commands/worker.ts';
import { HAS_REDIS, startRedis, type TestRedis } from '../batch/queue/redis.ts';
import { runHere } from '../cli/run-here.ts';
import { bundledProgram } from '../support/bundle.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';
import { makeResult, makeSurroundings, SECRET_TEXT, type Surroundings, sha256 } from './beside.ts';

const ANYRIG = await bundledProgram('anyrig');
const at = temporaryFolder();
let count = 0;

function fresh(): Surroundings {
  return makeSurroundings(at(`world${count++}`));
}

/** A job that a coordinator writes for the first task of a plan. */
function jobOf({ plan, out }: Surroundings): QueueJob {
  const [task] = plan.tasks;
  const prefix = `job_${sha256(task.id)}`;
  const destination = { type: 'folder', temporaryFolder: join(out, '.anyrig/temporary'), prefix } as const;
  return { task, hashes: {}, destination, memoryLimit: 1e12 };
}

describe('W8: a job', () => {
  const world = fresh();
  const job = jobOf(world);
  const root = join(world.out, '..');
  const s3 = { type: 'storage', url: 's3://library/out', key: sha256('key'), planned: 1 } as const;
  const limits = { roots: [root], memoryLimit: 5e8 };
  symlinkSync('/etc', join(root, 'inputs/link'));

  it('is taken inside the roots, with the memory limit of the worker', () => {
    expect(checkJob(job, limits)).toEqual({ ...job, memoryLimit: 5e8 });
    expect(checkJob({ ...job, memoryLimit: 1e6 }, limits).memoryLimit).toBe(1e6);
    expect(checkJob({ ...job, memoryLimit: null }, limits).memoryLimit).toBe(5e8);
  });

  it('may name objects below a root in storage, and all of them by default', () => {
    const stored = {
      ...job,
      task: { ...job.task, motions: ['s3://library/in/walk.bvh'], character: null },
      destination: s3,
    };
    for (const roots of [['s3://'], ['s3://library'], ['s3://library/in/', 's3://library/out']])
      expect(checkJob(stored, { ...limits, roots }).destination).toEqual(s3);
    for (const roots of [[root], ['s3://other'], ['s3://lib'], ['s3://library/in']])
      expect(() => checkJob(stored, { ...limits, roots })).toThrow(ShapeError);
    const up = { ...stored, task: { ...stored.task, motions: ['s3://library/in/../secret.bvh'] } };
    expect(() => checkJob(up, { ...limits, roots: ['s3://library/in', 's3://library/out'] })).toThrow(ShapeError);
  });

  const { task, destination } = job;
  const HOSTILE: Record<string, unknown> = {
    'a motion elsewhere': { ...job, task: { ...task, motions: ['/etc/passwd'] } },
    'a motion by ..': { ...job, task: { ...task, motions: [join(root, 'inputs') + '/../../x.bvh'] } },
    'a motion by a link': { ...job, task: { ...task, motions: [join(root, 'inputs/link/passwd')] } },
    'a motion in the working folder': { ...job, task: { ...task, motions: ['package.json'] } },
    'a motion in storage': { ...job, task: { ...task, motions: ['s3://bucket/walk.bvh'] } },
    'a character elsewhere': { ...job, task: { ...task, character: '/etc/hostname' } },
    'a folder elsewhere': { ...job, destination: { ...destination, temporaryFolder: '/tmp/.anyrig/temporary' } },
    'a folder that is not one for temporary files': { ...job, destination: { ...destination, temporaryFolder: root } },
    'a prefix with a path': { ...job, destination: { ...destination, prefix: '../../x' } },
    'a prefix of another process': { ...job, destination: { ...destination, prefix: 'host-1' } },
    'a bucket elsewhere': { ...job, destination: s3 },
    'an id with ..': { ...job, task: { ...task, id: '../x' } },
    'an absolute id': { ...job, task: { ...task, id: '/x' } },
    'another format': { ...job, task: { ...task, format: 'sh' } },
    'another kind': { ...job, task: { ...task, kind: 'exec' } },
    'no motion, which makes the time limit 0': { ...job, task: { ...task, motions: [] } },
    'motions that have no length, which makes the time limit NaN': { ...job, task: { ...task, motions: {} } },
    'a memory limit that is none': { ...job, memoryLimit: 'all' },
    'no options': { ...job, task: { ...task, options: null } },
    'no destination': { ...job, destination: null },
    'no data': null,
    'a text': 'job',
  };
  for (const [what, data] of Object.entries(HOSTILE))
    it(`is refused with ${what}`, () => {
      expect(() => checkJob(data, limits)).toThrow(ShapeError);
    });
});

describe('W2: the address of a queue', () => {
  it.each([
    'redis://:pw@127.0.0.1:notaport',
    'redis://h:70000',
    'redis://:%zz@h:6379',
    'redis://%:pw@h:6379',
    'redis://h/db',
    'redis:///',
    'h:6379',
    '',
  ])('%s is refused with exit 2, without its password', async (url) => {
    expect(isQueueUrl(url)).toBe(false);
    for (const command of [['worker'], ['batch', 'a.bvh', '--onto', 'b.glb', '-o', at('none')]]) {
      const { exit, stderr } = await runHere([...command, '--queue', url]);
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/expected a URL such as redis:\/\/host:6379/)]);
      expect(stderr).not.toContain('pw');
    }
    await expect(startQueueWorker({ url })).rejects.toThrow(/not a URL/);
    await expect(createQueuePool({ url })).rejects.toThrow(/not a URL/);
  });
});

/** Whether metrics are served at an address. */
async function hasMetrics(host: string, port: number | null): Promise<boolean> {
  const signal = AbortSignal.timeout(2000);
  return (await fetch(`http://${host}:${port}/metrics`, { signal }).catch(() => null))?.ok === true;
}

describe('tries against queues that were safe', () => {
  it('5.3: a password in a URL that is none is not shown', async () => {
    for (const url of [
      'http://:hunter2@queue',
      'redis:/user:hunter2@queue',
      'user:hunter2@queue:6379',
      'redis://:hunter2@queue:port',
      'redis://:hunter2@queue/db',
      'redis://:hunter2/3@queue',
      'REDIS://a:hunter2@queue:99999',
    ])
      for (const flags of [[], ['--json']]) {
        const { exit, stdout, stderr } = await runHere([
          'batch',
          'a',
          '--onto',
          'b',
          '-o',
          at('no'),
          '--queue',
          url,
          ...flags,
        ]);
        expect(exit).not.toBe(0);
        expect(stdout + stderr).not.toContain('hunter2');
      }
  });

  it('3.8: the only label of the metrics is the state', async () => {
    const metrics = await createQueueMetrics(0, '127.0.0.1');
    metrics.started();
    metrics.ended('failed', 1);
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
    metrics.close();
    const labels = new Set([...text.matchAll(/^anyrig_\w+\{(\w+)=/gm)].map(([, label]) => label));
    expect([...labels].sort()).toEqual(['le', 'state']);
  });
});

describe('W9: the metrics', () => {
  it('are on the address that is named and on no other', async () => {
    const metrics = await createQueueMetrics(0, '127.0.0.1');
    // 127.0.0.2 is this machine too.
    const found = await Promise.all(['127.0.0.1', '127.0.0.2'].map((host) => hasMetrics(host, metrics.port)));
    metrics.close();
    expect(found).toEqual([true, false]);
  });

  it('of a worker are on 127.0.0.1 by default, and elsewhere by HOST:PORT', async () => {
    const url = 'redis://127.0.0.1:1';
    const worker = await startQueueWorker({ url, jobs: 1, metricsPort: 0, onError: () => undefined });
    const found = await Promise.all(['127.0.0.1', '127.0.0.2'].map((host) => hasMetrics(host, worker.metricsPort)));
    await worker.close();
    expect(found).toEqual([true, false]);
    for (const [text, options] of [
      ['9464', { metricsPort: 9464 }],
      ['0.0.0.0:9464', { metricsPort: 9464, metricsHost: '0.0.0.0' }],
      ['[::]:80', { metricsPort: 80, metricsHost: '::' }],
    ] as const)
      expect(readMetrics(text)).toEqual(options);
    for (const text of ['', 'host', 'host:', ':80', '0.0.0.0:99999', '-1'])
      expect(() => readMetrics(text)).toThrow(/--metrics is ".*"; expected/);
  }, 20_000);
});

describe('W1: a worker whose server is away', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** Starts `anyrig worker`, and ends it by a signal once it waits. Returns its exit code and the milliseconds it took. */
  async function endWorker(url: string): Promise<[unknown, number]> {
    const child = spawn(process.execPath, [ANYRIG, 'worker', '--queue', url, '--jobs', '1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    await sleep(300);
    const start = performance.now();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    return [code, performance.now() - start];
  }

  it.runIf(IS_FULL_RUN)(
    'ends by SIGTERM within seconds, where something never answers or nothing listens',
    async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      servers.push(silent);
      await once(silent, 'listening');
      const address = silent.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      // Starting a process takes seconds.
      for (const url of IS_FULL_RUN
        ? [`redis://127.0.0.1:${port}`, 'redis://127.0.0.1:1']
        : [`redis://127.0.0.1:${port}`]) {
        const [code, time] = await endWorker(url);
        expect(code).toBe(0);
        expect(time).toBeLessThan(12_000);
      }
    },
    40_000,
  );
});

describe.skipIf(!HAS_REDIS)('a queue in which anyone can write', () => {
  let redis: TestRedis;
  let url = '';
  let closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    mkdirSync(at('redis'));
    redis = await startRedis(at('redis'));
    url = `redis://127.0.0.1:${redis.port}`;
  });
  afterEach(async () => {
    for (const close of closing) await close();
    closing = [];
  });
  afterAll(() => redis.kill());

  function liar(answer: (job: Job<QueueJob>) => unknown): void {
    const worker = new Worker<QueueJob>(QUEUE, async (job) => answer(job), { connection: connectionOf({ url }) });
    closing.push(() => worker.close(true));
  }

  const LIES: Record<string, (job: Job<QueueJob>, world: Surroundings) => unknown> = {
    'a private file as its temporary file': ({ data }, { secret }) => {
      const { made } = trueOutcome(data);
      return {
        made: {
          ...made,
          files: [{ ...made.files[0], bytes: SECRET_TEXT.length, sha256: sha256(SECRET_TEXT) }],
          temporary: [secret],
        },
      };
    },
    'a file beside the output folder': ({ data }) => {
      const { made } = trueOutcome(data);
      return { made: { ...made, files: [{ ...made.files[0], path: '../bashrc' }] } };
    },
    'the temporary file of another job': ({ data }) => {
      const { made } = trueOutcome({
        ...data,
        destination: { ...data.destination, prefix: `job_${sha256('other')}` } as QueueJob['destination'],
      });
      return { made };
    },
    'files that do not exist': ({ data }) => {
      const { made } = trueOutcome(data);
      return { made: { ...made, temporary: [`${made.temporary[0]}.none`] } };
    },
    nothing: () => null,
    'another shape': () => ({ made: [] }),
  };

  function trueOutcome(data: QueueJob): { made: ReturnType<typeof makeResult> } {
    return { made: makeResult(data) };
  }

  it('V1: a worker that lies moves, replaces and reads nothing outside of the output folder, and costs its task', async () => {
    for (const [what, lie] of Object.entries(LIES)) {
      const world = fresh();
      const before = world.beside();
      liar((job) => (job.data.task.id === 'hero/walk' ? lie(job, world) : trueOutcome(job.data)));
      const pool = await createQueuePool({ url, size: 2 });
      const { entries } = await runBatch(world.plan, { folder: world.out, pool });
      await pool.close();
      await closing.pop()?.();
      expect([what, entries.map((entry) => [entry.state, entry.failure?.code])]).toEqual([
        what,
        [
          ['failed', 'RESULT_REFUSED'],
          ['made', undefined],
        ],
      ]);
      expect(readdirSync(join(world.out, 'hero'))).toEqual(['wave.glb']);
      expect(world.beside()).toEqual(before);
    }
  }, 30_000);

  it('V1: a job whose data in the server are no longer JSON costs its task', async () => {
    const server = new Redis(url);
    closing.push(() => server.quit());
    const pool = await createQueuePool({ url, size: 1 });
    const running = pool.run(jobOf(fresh()));
    const isJob = (key: string): boolean => /:[0-9a-f]{64}$/.test(key);
    let key: string | undefined;
    while (key === undefined) key = (await server.keys(`bull:${QUEUE}:*`)).find(isJob);
    await server.hset(key, { data: '{' });
    expect(await running).toMatchObject({ failure: { code: 'RESULT_REFUSED' } });
    await pool.close();
    await server.flushall();
  });

  it.runIf(IS_FULL_RUN)(
    'W8: a worker refuses jobs outside of its roots, reads and writes nothing for them, and goes on',
    async () => {
      const world = fresh();
      const ended: [string, TaskOutcome][] = [];
      const worker = await startQueueWorker({
        url,
        roots: [world.out],
        jobs: 1,
        onJob: (id, outcome) => ended.push([id, outcome]),
      });
      closing.push(() => worker.close());
      const queue = new Queue(QUEUE, { connection: connectionOf({ url }) });
      closing.push(() => queue.close());
      const job = jobOf(world);
      const elsewhere = { ...job.destination, temporaryFolder: join(world.out, '../victim/.anyrig/temporary') };
      const inside = join(world.out, 'broken.bvh');
      writeFileSync(inside, 'HIERARCHY');
      const before = world.beside();
      const jobs: unknown[] = [
        null,
        { ...job, task: { ...job.task, motions: ['/etc/passwd'] } },
        { ...job, destination: elsewhere },
      ];
      const good = { ...job, task: { ...job.task, motions: [inside], character: inside } };
      for (const [k, data] of [...jobs, good].entries()) await queue.add('task', data, { jobId: `x${k}` });
      while (ended.length < 4) await sleep(20);
      const codes = ended.map(([, outcome]) => ('failure' in outcome ? outcome.failure.code : 'made'));
      expect(codes).toEqual(['JOB_REFUSED', 'JOB_REFUSED', 'JOB_REFUSED', expect.stringMatching(/^BVH_/)]);
      expect(ended[1][1]).toMatchObject({
        failure: { message: expect.stringMatching(/names \/etc\/passwd; expected a path in the roots/) },
      });
      expect(existsSync(elsewhere.temporaryFolder)).toBe(false);
      expect(world.beside()).toEqual(before);
    },
    20_000,
  );

  it.runIf(IS_FULL_RUN)(
    'W1: a pool and a worker close although the server is killed',
    async () => {
      const pool = await createQueuePool({ url });
      const worker = await startQueueWorker({ url, jobs: 1, onError: () => undefined });
      await sleep(300);
      await redis.kill();
      const start = performance.now();
      await Promise.all([pool.close(), worker.close()]);
      expect(performance.now() - start).toBeLessThan(8000);
      await redis.start();
    },
    20_000,
  );
});
