/** Batches on a queue: Redis, BullMQ, and workers. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { createQueuePool } from '../../../src/batch/queue/queue-pool.ts';
import { startQueueWorker } from '../../../src/batch/queue/queue-worker.ts';
import { runBatch } from '../../../src/batch/run/run-batch.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';

if (!HAS_REDIS) console.log('redis-server is not installed: the tests of queues are skipped.');

describe.skipIf(!HAS_REDIS)('a batch on a queue', () => {
  const at = temporaryFolder();
  let redis: TestRedis | null = null;
  afterAll(() => redis?.kill());

  it('makes every result once, reports files that cannot be read, serves metrics, and waits for a server that restarts', async () => {
    mkdirSync(at('redis'));
    redis = await startRedis(at('redis'));
    const url = `redis://127.0.0.1:${redis.port}`;
    writeFileSync(at('broken.bvh'), 'HIERARCHY');
    const motions = [writeDemo(at, 'turn.bvh'), at('broken.bvh')];
    const plan = planBatch({ motions, characters: [writeDemo(at, 'giant.glb')], options: { contacts: 'off' } });
    const pool = await createQueuePool({ url });
    const running = runBatch(plan, { folder: at('out'), pool });
    await redis.kill();
    await redis.start();
    const worker = await startQueueWorker({
      url,
      roots: [at()],
      jobs: 1,
      lockSeconds: 5,
      metricsPort: 0,
      onError: () => undefined,
    });
    const { entries } = await running;
    const metrics = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text();
    await Promise.all([pool.close(), worker.close()]);
    expect(entries.map(({ state, failure }) => [state, failure?.code ?? null])).toEqual([
      ['made', null],
      ['failed', expect.stringMatching(/^BVH_/)],
    ]);
    expect(metrics).toMatch(/anyrig_jobs_total\{state="made"\} 1/);
    expect(metrics).toMatch(/nodejs_eventloop_lag_max_seconds/);
    expect(readdirSync(at('out/giant'))).toEqual(['turn.glb']);
    expect(readdirSync(at('out/.anyrig/temporary'))).toEqual([]);
  }, 60_000);
});
