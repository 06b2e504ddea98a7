/** Batches on a queue whose processes are killed at random moments: workers, the server, and the batch itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import {
  addMotions,
  differentResults,
  finishedIds,
  idsIn,
  makeInputs,
  resultNames,
  resultsIn,
  runInputs,
} from '../batch-files.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const CHILD = await bundledProgram('kill-child');
/** Kills in a full run; `npm test` leaves them out, because every process takes seconds to start. */
const KILLS = Number(process.env['ANYRIG_KILLS'] ?? (IS_RELEASE_RUN ? 6 : IS_FULL_RUN ? 3 : 0));
/** Longest time between the first new result after a kill and the next kill, milliseconds. */
const INTERVAL = 500;
/** Longest wait for a new result, milliseconds: now and then a kill hits processes that start. */
const PATIENCE = 8000;
/** Motions that are added when all are done before the last kill. */
const MORE = 60;
const VICTIMS = ['worker', 'server', 'batch'] as const;

describe.skipIf(!HAS_REDIS || KILLS === 0)('a batch on a queue', () => {
  const at = temporaryFolder();
  const processes: ChildProcess[] = [];
  let redis: TestRedis | null = null;
  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL');
    await redis?.kill();
  });

  it(`survives ${KILLS} kills of workers, server and batch: nothing half, nothing twice, nothing lost`, async () => {
    mkdirSync(at('redis'));
    const server = await startRedis(at('redis'));
    redis = server;
    const url = `redis://127.0.0.1:${server.port}`;
    const [out, log] = [at('out'), at('out.log')];
    const inputs = makeInputs(at('library'), MORE);
    const random = makeRandom(19);
    const all: WorkerProcess[] = [];
    const sizes = new Map<string, Set<number>>();
    const again: string[] = [];
    let [motions, runs, working, finished, logged] = [MORE, 0, 0, new Set<string>(), 0];

    const startWorker = (): WorkerProcess => {
      const worker = startWorkerProcess(url);
      processes.push(worker.child);
      all.push(worker);
      return worker;
    };
    const startBatch = (): ChildProcess => {
      const args = [CHILD, out, inputs, url];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      processes.push(child);
      runs++;
      return child;
    };
    /** Looks at the folder after a batch has ended: what it started must not have been finished before. */
    const look = (): void => {
      again.push(
        ...idsIn(log)
          .slice(logged)
          .filter((id) => finished.has(id)),
      );
      logged = idsIn(log).length;
      finished = new Set(finishedIds(out));
      for (const name of resultNames(out)) {
        const known = sizes.get(name) ?? new Set();
        sizes.set(name, known.add(statSync(join(out, name)).size));
      }
    };
    /** Waits until there is a new result: then all processes work. */
    const progress = async (): Promise<void> => {
      const [before, until] = [resultNames(out).length, performance.now() + PATIENCE];
      while (resultNames(out).length === before && performance.now() < until && batch.exitCode === null)
        await sleep(20);
      if (resultNames(out).length > before) working++;
    };
    const kill = async (child: ChildProcess): Promise<void> => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };

    const workers = [startWorker(), startWorker()];
    let batch = startBatch();
    const counts = { worker: 0, server: 0, batch: 0 };
    for (let n = 0; n < KILLS; n++) {
      if (batch.exitCode !== null) {
        expect(batch.exitCode).toBe(0);
        look();
        addMotions(inputs, motions, MORE);
        motions += MORE;
        batch = startBatch();
      }
      await progress();
      await sleep(INTERVAL * random());
      const victim = VICTIMS[Math.floor(VICTIMS.length * random())];
      counts[victim]++;
      if (victim === 'worker') {
        const k = random() < 0.5 ? 0 : 1;
        await kill(workers[k].child);
        workers[k] = startWorker();
      } else if (victim === 'server') {
        await server.kill();
        await sleep(300 * random());
        await server.start();
      } else {
        await kill(batch);
        look();
        batch = startBatch();
      }
    }
    if (batch.exitCode === null) await once(batch, 'exit');
    expect(batch.exitCode).toBe(0);
    look();
    const late = 2 * motions - finished.size;
    const rerun = startBatch();
    expect(await once(rerun, 'exit')).toEqual([0, null]);
    look();
    for (const { child } of workers) child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const made = all.reduce((sum, worker) => sum + worker.made.length, 0);
    const killed = VICTIMS.map((victim) => `${counts[victim]} × ${victim}`).join(', ');
    console.log(
      `killed ${killed}, ${working} of them while results were made: ${finished.size} results in ${runs} runs, ${made} made, ${late} left to the last run`,
    );
    expect(again).toEqual([]);
    expect([...sizes].filter(([, seen]) => seen.size > 1)).toEqual([]);
    expect((await runInputs(at('whole'), inputs)).failure).toBe(null);
    const [results, whole] = [resultsIn(out), resultsIn(at('whole'))];
    expect(results.size).toBe(2 * motions);
    expect(differentResults(results, whole)).toEqual([]);
    // A job that ran twice, and whose first result was published before a kill of the batch, leaves its second one for a day.
    const left = readdirSync(join(out, '.anyrig/temporary'));
    expect(left.filter((name) => !name.startsWith('job_'))).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(KILLS);
  }, 1_200_000);
});
