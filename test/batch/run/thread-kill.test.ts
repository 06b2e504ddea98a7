/** Worker threads that end alone, as by an error of the system: their tasks are tried again, and new threads start. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { runBatch } from '../../../src/batch/run/run-batch.ts';
import { createWorkerPool } from '../../../src/batch/run/worker-pool.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { differentResults, finishedIds, makeInputs, resultsIn } from '../batch-files.ts';
import { poolHere } from '../pool.ts';

const at = temporaryFolder();
/** Kills in a full run; `npm test` leaves them out, because every thread takes a second to start. */
const KILLS = Number(process.env['ANYRIG_KILLS'] ?? (IS_FULL_RUN ? 4 : 0));
/** Longest time between a new result and the next kill, milliseconds. */
const INTERVAL = 100;
/** Kills that hit a thread while it starts. */
const STARTING = 0.3;
const THREADS = 2;

it.skipIf(KILLS === 0)(
  'createWorkerPool: a task that waits for a thread does not wait without end when that thread ends while it starts',
  async () => {
    const { tasks } = planBatch({ motions: [writeDemo(at, 'turn.bvh')], characters: [writeDemo(at, 'giant.glb')] });
    const destination = { type: 'folder', temporaryFolder: at('temporary'), prefix: 'test' } as const;
    const request = { task: tasks[0], hashes: {}, destination, memoryLimit: 2e9 };
    const threads: Worker[] = [];
    const onWorker = (thread: Worker): void => void threads.push(thread);
    process.on('worker', onWorker);
    const pool = await createWorkerPool({ jobs: 1, timeLimit: 30 });
    expect(await pool.run(request)).toHaveProperty('made');
    await threads[0].terminate();
    const running = pool.run(request);
    while (threads.length < 2) await sleep(1);
    await threads[1].terminate();
    expect(await running).toMatchObject({ failure: { code: 'WORKER_ENDED', isTemporary: true } });
    expect(await pool.run(request)).toHaveProperty('made');
    process.off('worker', onWorker);
    await pool.close();
  },
  60_000,
);

it.skipIf(KILLS === 0)(
  `a batch survives ${KILLS} kills of single threads: nothing half, nothing twice, nothing lost`,
  async () => {
    const inputs = makeInputs(at('library'), 2 * KILLS);
    const random = makeRandom(19);
    const plan = planBatch({
      motions: Array.from({ length: 2 * KILLS }, (_, k) => `${inputs}/turn${k}.bvh`),
      characters: [`${inputs}/giant.glb`, `${inputs}/chibi.vrm`],
      options: { contacts: 'off' },
    });
    const threads = new Set<Worker>();
    let [kills, killsNext] = [0, false];
    const onWorker = (thread: Worker): void => {
      threads.add(thread);
      thread.once('exit', () => threads.delete(thread));
      if (!killsNext) return;
      killsNext = false;
      kills++;
      setTimeout(() => void thread.terminate(), 300 * random());
    };
    process.on('worker', onWorker);
    const ids: string[] = [];
    let results = 0;
    const pool = await createWorkerPool({ jobs: THREADS });
    const kill = async (): Promise<void> => {
      for (let seen = 0; kills < KILLS && results < plan.tasks.length; seen = results) {
        while (results === seen && results < plan.tasks.length) await sleep(5);
        await sleep(INTERVAL * random());
        killsNext = random() < STARTING;
        const all = [...threads];
        kills++;
        await all[Math.floor(all.length * random())]?.terminate();
      }
    };
    try {
      const running = runBatch(plan, {
        folder: at('killed'),
        pool,
        onEvent: (event) => {
          if (event.type !== 'ended') return;
          results++;
          if (event.entry.state === 'made') ids.push(event.entry.task.id);
        },
      });
      const [{ entries, failure }] = await Promise.all([running, kill()]);
      expect(kills).toBeGreaterThanOrEqual(KILLS);
      expect(failure).toBe(null);
      // A task whose thread was killed twice is left to the next run.
      const lost = entries.filter((entry) => entry.failure !== null);
      expect(lost.filter((entry) => entry.failure?.code !== 'WORKER_ENDED')).toEqual([]);
      expect(lost.length).toBeLessThanOrEqual(KILLS / 2);
      expect(finishedIds(at('killed')).sort()).toEqual([...new Set(ids)].sort());
      console.log(`${kills} threads killed: ${ids.length} made, ${lost.length} left to the next run`);
    } finally {
      process.off('worker', onWorker);
      await pool.close();
    }
    const here = poolHere();
    const { entries } = await runBatch(plan, { folder: at('killed'), pool: here });
    expect(entries.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(here.ran.filter((id) => ids.includes(id))).toEqual([]);
    await runBatch(plan, { folder: at('whole'), pool: poolHere() });
    expect(differentResults(resultsIn(at('killed')), resultsIn(at('whole')))).toEqual([]);
  },
  600_000,
);
