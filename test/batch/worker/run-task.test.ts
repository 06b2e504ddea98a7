import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BatchRequest, planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { createTaskRunner } from '../../../src/batch/worker/run-task.ts';
import type { TaskRequest } from '../../../src/batch/worker/task-request.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
const turn = writeDemo(at, 'turn.bvh');
const giant = writeDemo(at, 'giant.glb');
const destination = { type: 'folder', temporaryFolder: at('temporary'), prefix: 'test' } as const;

function requestOf(request: BatchRequest): TaskRequest {
  const [task] = planBatch({ options: { contacts: 'off' }, ...request }).tasks;
  return { task, hashes: {}, destination, memoryLimit: Number.POSITIVE_INFINITY };
}

describe('createTaskRunner', () => {
  const runTask = createTaskRunner();

  it('returns failures with a code and the file, instead of throwing, and leaves no temporary file', async () => {
    writeFileSync(at('broken.bvh'), 'HIERARCHY');
    writeDemo(at, 'giant.glb', 'still.glb');
    const failures: unknown[] = [];
    for (const motion of ['missing.bvh', 'broken.bvh', 'still.glb'].map((name) => at(name))) {
      const outcome = await runTask(requestOf({ motions: [motion], characters: [giant] }));
      failures.push('failure' in outcome ? outcome.failure : outcome);
    }
    expect(failures).toEqual([
      { code: 'FILE_NOT_FOUND', message: expect.stringContaining('it does not exist') },
      { code: expect.stringMatching(/^BVH_/), message: expect.any(String) },
      { code: 'CLIP_EMPTY', message: expect.stringContaining('still.glb has no clip') },
    ]);
    expect(existsSync(at('temporary')) ? readdirSync(at('temporary')) : []).toEqual([]);
  });

  it('leaves a broken motion out of a pack, and reports it', async () => {
    const outcome = await runTask(
      requestOf({ motions: [turn, at('broken.bvh')], characters: [giant], mode: 'pack', options: {} }),
    );
    if (!('made' in outcome)) throw new Error(outcome.failure.message);
    const { clips, issues } = outcome.made.report;
    expect(clips.map(({ motion }) => motion)).toEqual([turn]);
    expect(issues.map(({ code }) => code)).toContain('FILE_LEFT_OUT');
  });

  it('makes the same bytes for a task whether its files are open or not', async () => {
    const request = requestOf({ motions: [turn], characters: [giant] });
    const [fresh, again] = [await createTaskRunner()(request), await runTask(request)];
    const warm = await runTask(request);
    const bytes = [fresh, again, warm].map((outcome) =>
      'made' in outcome ? readFileSync(outcome.made.temporary[0]).toString('base64') : outcome.failure.message,
    );
    expect(new Set(bytes).size).toBe(1);
  });

  it.each([{ fps: 10 }, { channels: { rotation: false } }])(
    'measures what %o changes as changed on purpose, not as an error',
    async (options) => {
      const request = { motions: [turn], characters: [giant], options: { contacts: 'off', ...options } } as const;
      const outcome = await runTask(requestOf(request));
      if (!('made' in outcome)) throw new Error(outcome.failure.message);
      const { errorMean, changedMean } = outcome.made.report.figures!;
      expect(errorMean).toBeLessThan(1e-3);
      expect(changedMean).toBeGreaterThan(0.1);
    },
  );

  it('reports an output folder that cannot be written as a reason that all tasks share', async () => {
    writeFileSync(at('file'), '');
    const blocked = { ...destination, temporaryFolder: at('file', 'temporary') };
    const outcome = await runTask({ ...requestOf({ motions: [turn], characters: [giant] }), destination: blocked });
    expect(outcome).toMatchObject({ failure: { code: 'CANNOT_WRITE', isFatal: true } });
  });
});
