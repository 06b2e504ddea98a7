import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { createWorkerPool } from '../../../src/batch/run/worker-pool.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';
import { poolHere } from '../pool.ts';

const at = temporaryFolder();
const { tasks } = planBatch({ motions: [writeDemo(at, 'turn.bvh')], characters: [writeDemo(at, 'giant.glb')] });
const destination = { type: 'folder', temporaryFolder: at('temporary'), prefix: 'test' } as const;
const request = { task: tasks[0], hashes: {}, destination, memoryLimit: 2e9 };

it('createWorkerPool: stops a task that takes too long', async () => {
  const pool = await createWorkerPool({ jobs: 1, timeLimit: 0.02 });
  const outcome = await pool.run(request);
  await pool.close();
  expect(outcome).toMatchObject({
    failure: { code: 'TIME_LIMIT', message: expect.stringMatching(/longer than 0.02 s/) },
  });
});

it.runIf(IS_FULL_RUN)(
  'createWorkerPool: a limit beyond the longest timer of Node does not stop a task at once',
  async () => {
    const pool = await createWorkerPool({ jobs: 1, timeLimit: 1e9 });
    const outcome = await pool.run({ ...request, task: { ...request.task, motions: [at('none.bvh')] } });
    await pool.close();
    expect(outcome).toMatchObject({ failure: { code: 'FILE_NOT_FOUND' } });
  },
);

it('createTaskRunner: ends a task that needs too much memory', async () => {
  expect(await poolHere(1, 1e6).run(request)).toMatchObject({ failure: { code: 'MEMORY_LIMIT' } });
});

it('createTaskRunner: ends a task whose input has changed', async () => {
  const hashes = { [tasks[0].motions[0]]: '0' };
  expect(await poolHere().run({ ...request, hashes })).toMatchObject({
    failure: { code: 'INPUT_CHANGED', isTemporary: true },
  });
});
