/** Batches on a queue with object storage whose workers and batch are killed at random moments, and whose requests fail now and then. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { keyOfRecord, type StoredRecord } from '../../../src/batch/storage/stored-results.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { addMotions, idsIn, makeInputs, resultsIn, runInputs } from '../batch-files.ts';
import { BUCKET, type S3Server, startS3, useS3 } from '../storage/s3-server.ts';
import { HAS_REDIS, startRedis, type TestRedis } from './redis.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

const CHILD = await bundledProgram('kill-child');
/** Kills in a full run; `npm test` leaves them out, because every process takes seconds to start. */
const KILLS = Number(process.env['ANYRIG_KILLS'] ?? (IS_RELEASE_RUN ? 3 : IS_FULL_RUN ? 2 : 0));
/** Longest time between the first new object after a kill and the next kill, milliseconds. */
const INTERVAL = 300;
/** Longest wait for a new object, milliseconds: now and then a kill hits processes that start. */
const PATIENCE = 10_000;
/** Motions that are added when all are done before the last kill. */
const MORE = 40;
const FAILURES = [500, 'cut', 'cut-after', 'cut-within'] as const;
/** Requests that fail. */
const FAILING = 0.05;
const OUT = `s3://${BUCKET}/out`;

describe.skipIf(!HAS_REDIS || KILLS === 0)('a batch on a queue with object storage', () => {
  const at = temporaryFolder();
  const processes: ChildProcess[] = [];
  let server: S3Server | null = null;
  let redis: TestRedis | null = null;
  let restore = (): void => undefined;
  afterAll(async () => {
    for (const child of processes) child.kill('SIGKILL');
    restore();
    await redis?.kill();
    await server?.close();
  });

  it(`survives ${KILLS} kills of workers and batch: nothing written twice, nothing lost`, async () => {
    mkdirSync(at('redis'));
    const [storage, queue] = [await startS3(), await startRedis(at('redis'))];
    [server, redis] = [storage, queue];
    restore = useS3(storage);
    const url = `redis://127.0.0.1:${queue.port}`;
    const inputs = makeInputs(at('library'), MORE);
    const random = makeRandom(19);
    storage.fail = () => (random() < FAILING ? FAILURES[Math.floor(FAILURES.length * random())] : null);

    const startWorker = (): WorkerProcess => {
      const worker = startWorkerProcess(url);
      processes.push(worker.child);
      return worker;
    };
    const startBatch = (): ChildProcess => {
      const args = [CHILD, OUT, inputs, url, at('log')];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      processes.push(child);
      return child;
    };
    const recorded = (): string[] =>
      Array.from(storage.objects).flatMap(([key, { bytes }]) =>
        keyOfRecord(key.replace('out/', '')) === null ? [] : (JSON.parse(bytes.toString()) as StoredRecord).line.id,
      );
    const kill = async (child: ChildProcess): Promise<void> => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };

    const workers = [startWorker(), startWorker()];
    let batch = startBatch();
    let [motions, runs, working, logged] = [MORE, 1, 0, 0];
    let finished = new Set<string>();
    const again: string[] = [];
    /** Looks at the log after a batch has ended: what it started must not have been finished before it. */
    const look = (): void => {
      const ids = idsIn(at('log'));
      again.push(...ids.slice(logged).filter((id) => finished.has(id)));
      logged = ids.length;
      finished = new Set(recorded());
    };
    const restartBatch = (): void => {
      look();
      runs++;
      batch = startBatch();
    };
    const counts = { worker: 0, batch: 0 };
    for (let n = 0; n < KILLS; n++) {
      if (batch.exitCode !== null) {
        expect(batch.exitCode).toBe(0);
        addMotions(inputs, motions, MORE);
        motions += MORE;
        restartBatch();
      }
      const [before, until] = [storage.objects.size, performance.now() + PATIENCE];
      while (storage.objects.size === before && performance.now() < until && batch.exitCode === null) await sleep(10);
      if (storage.objects.size > before) working++;
      await sleep(INTERVAL * random());
      if (random() < 0.5) {
        counts.worker++;
        const k = random() < 0.5 ? 0 : 1;
        await kill(workers[k].child);
        workers[k] = startWorker();
      } else {
        counts.batch++;
        await kill(batch);
        restartBatch();
      }
    }
    if (batch.exitCode === null) await once(batch, 'exit');
    expect(batch.exitCode).toBe(0);
    restartBatch();
    expect(await once(batch, 'exit')).toEqual([0, null]);
    look();
    for (const { child } of workers) child.kill('SIGTERM');
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    console.log(
      `killed ${counts.worker} × worker, ${counts.batch} × batch, ${working} of them while results were made: ${finished.size} results in ${runs} runs`,
    );
    expect(again).toEqual([]);
    expect((await runInputs(at('whole'), inputs)).failure).toBe(null);
    const whole = resultsIn(at('whole'));
    expect(whole.size).toBe(2 * motions);
    const stored = [...storage.objects.keys()].filter((key) => key.startsWith('out/') && !key.includes('/.'));
    expect(stored.sort()).toEqual([...whole.keys()].map((name) => `out/${name}`).sort());
    expect([...whole].filter(([name, bytes]) => !storage.objects.get(`out/${name}`)?.bytes.equals(bytes))).toEqual([]);
    const writes = storage.writes.filter((key) => !key.includes('/.'));
    expect(writes.sort()).toEqual(stored);
    expect(recorded().sort()).toEqual(stored.map((key) => key.slice('out/'.length).replace(/\.\w+$/, '')));
  }, 1_200_000);
});
