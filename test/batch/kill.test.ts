/** Batches that are killed: the next run completes them, without half files and without doing finished work again. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeRandom } from '../../src/demo/random.ts';
import { bundledProgram } from '../support/bundle.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN } from '../support/law-runs.ts';
import { temporaryFolder } from '../support/make/demo-files.ts';
import { differentResults, finishedIds, idsIn, makeInputs, resultsIn, runInputs } from './batch-files.ts';
import { growDisk, mountDisk, unmountDisk } from './small-disk.ts';

const at = temporaryFolder();
const KILLS = Number(process.env['ANYRIG_KILLS'] ?? (IS_RELEASE_RUN ? 12 : IS_FULL_RUN ? 5 : 2));
const CHILD = await bundledProgram('kill-child');

/** Runs the child and kills it some milliseconds after it has started; without a time it runs to its end. */
async function runChild(folder: string, inputs: string, killAfter: number | null): Promise<number | null> {
  const child = spawn(process.execPath, [CHILD, folder, inputs], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended]);
  if (killAfter !== null) {
    await Promise.race([sleep(killAfter), ended]);
    child.kill('SIGKILL');
  }
  return ended;
}

it.runIf(IS_FULL_RUN)(
  `a batch survives ${KILLS} kills at random moments: nothing half, nothing twice, nothing lost`,
  async () => {
    const inputs = makeInputs(at('library'), IS_FULL_RUN ? 3 * KILLS : 6);
    const random = makeRandom(19);
    const out = at('killed');
    const finished = new Set<string>();
    for (let n = 0; n < KILLS; n++) {
      await runChild(out, inputs, (IS_FULL_RUN ? 400 : 500) * random());
      for (const id of finishedIds(out)) finished.add(id);
    }
    const last = await runInputs(out, inputs);
    expect([last.failure, last.ran.filter((id) => finished.has(id))]).toEqual([null, []]);
    expect((await runInputs(at('whole'), inputs)).failure).toBe(null);
    expect(differentResults(resultsIn(out), resultsIn(at('whole')))).toEqual([]);
    expect(readdirSync(join(out, '.anyrig/temporary'))).toEqual([]);
  },
  600_000,
);

it.skipIf(!IS_FULL_RUN)(
  'a batch whose disk is full stops, and goes on when there is space',
  async (context) => {
    const inputs = makeInputs(at('large'), 12);
    const disk = at('disk');
    if (!mountDisk(disk, '1m')) return context.skip();
    try {
      const out = join(disk, 'out');
      expect(await runChild(out, inputs, null)).toBe(4);
      const finished = finishedIds(out);
      expect(finished.length).toBeGreaterThan(0);
      growDisk(disk, '50m');
      const before = idsIn(`${out}.log`);
      expect(await runChild(out, inputs, null)).toBe(0);
      const again = idsIn(`${out}.log`).slice(before.length);
      expect(again.filter((id) => finished.includes(id))).toEqual([]);
      expect(resultsIn(out).size).toBe(24);
    } finally {
      unmountDisk(disk);
    }
  },
  120_000,
);
