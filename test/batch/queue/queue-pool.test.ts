import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { connectionOf, QUEUE, type QueueJob } from '../../../src/batch/queue/queue-names.ts';
import { createQueuePool } from '../../../src/batch/queue/queue-pool.ts';
import type { TaskDestination, TaskRequest } from '../../../src/batch/worker/task-request.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';

/** A request of a task whose files do not exist. */
function requestOf(motion: string, destination: TaskDestination): TaskRequest {
  const { tasks } = planBatch({ motions: [motion], characters: ['hero.glb'] });
  return { task: tasks[0], hashes: { [motion]: 'h1', 'hero.glb': 'h2' }, destination, memoryLimit: 1e9 };
}

describe.skipIf(!HAS_REDIS)('createQueuePool', () => {
  const at = temporaryFolder();
  let redis: TestRedis;
  let url = '';
  let queue: Queue<QueueJob>;
  beforeAll(async () => {
    mkdirSync(at('redis'));
    redis = await startRedis(at('redis'));
    url = `redis://127.0.0.1:${redis.port}`;
    queue = new Queue(QUEUE, { connection: connectionOf({ url }) });
  });
  afterAll(async () => {
    await queue.close();
    await redis.kill();
  });

  /** Returns the job that waits, as soon as there is one. */
  async function waitingJob(): Promise<Job<QueueJob>> {
    for (;;) {
      const [job] = await queue.getWaiting();
      if (job !== undefined) return job;
      await sleep(5);
    }
  }

  it('gives workers absolute paths and names of temporary files by job, keeps URLs, and ends its tasks when it is closed', async () => {
    const pool = await createQueuePool({ url });
    const folder = { type: 'folder', temporaryFolder: 'out/t', prefix: 'host-1' } as const;
    const running = pool.run(requestOf('in/walk.bvh', folder));
    const job = await waitingJob();
    expect(job.data.task).toMatchObject({ motions: [resolve('in/walk.bvh')], character: resolve('hero.glb') });
    expect(job.data.hashes).toEqual({ [resolve('in/walk.bvh')]: 'h1', [resolve('hero.glb')]: 'h2' });
    expect(job.data.destination).toEqual({ ...folder, temporaryFolder: resolve('out/t'), prefix: `job_${job.id}` });
    await job.remove();
    // A job that the server has lost is added again.
    const again = await waitingJob();
    expect([again.id, again.data]).toEqual([job.id, job.data]);
    await pool.close();
    expect(await running).toMatchObject({ failure: { code: 'STOPPED' } });
    await queue.obliterate({ force: true });
  });

  it('gives a job that waits since an earlier run to the run that comes now', async () => {
    const destination = { type: 'storage', url: 's3://library/out', key: 'k', planned: 1 } as const;
    const motion = 's3://library/walk.bvh';
    const first = await createQueuePool({ url });
    const earlier = first.run(requestOf(motion, destination));
    const job = await waitingJob();
    expect([job.data.task.motions, job.data.destination]).toEqual([[motion], destination]);
    await first.close();
    const second = await createQueuePool({ url });
    const running = second.run(requestOf(motion, { ...destination, planned: 2 }));
    for (let planned = 1; planned !== 2; ) {
      const [found] = await queue.getWaiting();
      if (found.data.destination.type === 'storage') planned = found.data.destination.planned;
      expect(found.id).toBe(job.id);
    }
    expect(await queue.getWaitingCount()).toBe(1);
    await second.close();
    expect(await Promise.all([earlier, running])).toMatchObject(Array(2).fill({ failure: { code: 'STOPPED' } }));
  });
});
