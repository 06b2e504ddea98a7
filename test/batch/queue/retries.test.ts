/** Jobs of a queue that fail or lose their worker, and workers that are stopped. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, QueueEvents } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { ATTEMPTS, BACKOFF, connectionOf, MOST_STALLS, QUEUE } from '../../../src/batch/queue/queue-names.ts';
import { createQueuePool } from '../../../src/batch/queue/queue-pool.ts';
import { startQueueWorker } from '../../../src/batch/queue/queue-worker.ts';
import { type BatchResult, runBatch } from '../../../src/batch/run/run-batch.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { finishedIds } from '../batch-files.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

// Backoff and locks take seconds.
describe.skipIf(!HAS_REDIS || !IS_FULL_RUN)('a queue', () => {
  const at = temporaryFolder();
  const workers: WorkerProcess[] = [];
  let redis: TestRedis;
  let url = '';
  let queue: Queue;
  beforeAll(async () => {
    mkdirSync(at('redis'));
    redis = await startRedis(at('redis'));
    url = `redis://127.0.0.1:${redis.port}`;
    queue = new Queue(QUEUE, { connection: connectionOf({ url }) });
  });
  afterAll(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await queue.close();
    await redis.kill();
  });

  function planOf(...motions: string[]): ReturnType<typeof planBatch> {
    return planBatch({ motions, characters: [writeDemo(at, 'giant.glb')], options: { contacts: 'off' } });
  }

  /** Runs a batch whose motions change right after they were hashed. */
  async function runChanged(name: string): Promise<BatchResult> {
    const pool = await createQueuePool({ url });
    const onEvent = ({ type }: { type: string }): void => {
      if (type === 'started') appendFileSync(at(name), '\n');
    };
    const result = await runBatch(planOf(at(name)), { folder: at('out'), pool, onEvent });
    await pool.close();
    return result;
  }

  function startWorker(): WorkerProcess {
    const worker = startWorkerProcess(url);
    workers.push(worker);
    return worker;
  }

  /** Starts a worker process and waits until it has a job. */
  async function startBusyWorker(attempt = 1): Promise<WorkerProcess> {
    const worker = startWorker();
    while ((await queue.getActive()).every(({ attemptsStarted }) => attemptsStarted !== attempt)) await sleep(5);
    return worker;
  }

  it('tries a job again, later each time, and sets it aside with its reason; the next run tries it again', async () => {
    const original = readFileSync(writeDemo(at, 'turn.bvh'));
    const events = new QueueEvents(QUEUE, { connection: connectionOf({ url }) });
    const active: number[] = [];
    events.on('active', () => active.push(performance.now()));
    await events.waitUntilReady();
    const worker = await startQueueWorker({ url, roots: [at()], jobs: 1, lockSeconds: 5 });
    const first = await runChanged('turn.bvh');
    expect(first.failure).toBe(null);
    expect(first.entries.map(({ state, failure }) => [state, failure])).toEqual([
      ['failed', { code: 'POISON_JOB', message: expect.stringMatching(/set aside after 3 attempts: INPUT_CHANGED: /) }],
    ]);
    expect(active).toHaveLength(ATTEMPTS);
    const waits = [active[1] - active[0], active[2] - active[1]];
    expect(waits[0]).toBeGreaterThan(0.95 * BACKOFF);
    expect(waits[1]).toBeGreaterThan(1.9 * BACKOFF);
    const [aside] = await queue.getFailed();
    expect([aside.attemptsMade, aside.failedReason]).toEqual([ATTEMPTS, expect.stringMatching(/^INPUT_CHANGED: /)]);
    writeFileSync(at('turn.bvh'), original);
    const pool = await createQueuePool({ url });
    const next = await runBatch(planOf(at('turn.bvh')), { folder: at('out'), pool });
    expect(next.entries.map(({ state }) => state)).toEqual(['made']);
    expect(await queue.getFailed()).toEqual([]);
    await Promise.all([pool.close(), worker.close(), events.close()]);
  }, 60_000);

  it('sets a job aside that has lost its worker too often', async () => {
    const pool = await createQueuePool({ url });
    const running = runBatch(planOf(writeDemo(at, 'turn.bvh', 'poison.bvh')), { folder: at('poison'), pool });
    for (let attempt = 1; attempt <= MOST_STALLS + 1; attempt++) {
      const { child, ended } = await startBusyWorker(attempt);
      child.kill('SIGKILL');
      expect(await ended).toBe(null);
    }
    const worker = startWorker();
    const { entries } = await running;
    worker.child.kill('SIGTERM');
    await Promise.all([worker.ended, pool.close()]);
    expect(worker.made).toEqual([]);
    expect(entries.map(({ failure }) => failure)).toEqual([
      { code: 'POISON_JOB', message: expect.stringMatching(/stalled more than allowable limit/) },
    ]);
  }, 120_000);

  it('finishes the job that runs when a worker gets SIGTERM, and leaves the others to the next worker', async () => {
    const motions = [1, 2, 3].map((k) => writeDemo(at, 'turn.bvh', `stopped${k}.bvh`));
    const pool = await createQueuePool({ url });
    const running = runBatch(planOf(...motions), { folder: at('stopped'), pool });
    while ((await queue.getWaitingCount()) < motions.length) await sleep(5);
    const worker = await startBusyWorker();
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.made).toHaveLength(1);
    expect([await queue.getActiveCount(), await queue.getWaitingCount()]).toEqual([0, 2]);
    while (finishedIds(at('stopped')).length < 1) await sleep(50);
    const next = await startBusyWorker();
    const { entries } = await running;
    next.child.kill('SIGTERM');
    await Promise.all([next.ended, pool.close()]);
    expect(entries.map(({ state }) => state)).toEqual(['made', 'made', 'made']);
    expect(next.made).toHaveLength(2);
    expect(existsSync(at('stopped/giant/stopped1.glb'))).toBe(true);
  }, 60_000);
});
