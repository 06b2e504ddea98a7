/** Batches on a queue whose shared folder is full. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { differentResults, finishedIds, idsIn, makeInputs, resultsIn, runInputs } from '../batch-files.ts';
import { growDisk, mountDisk, unmountDisk } from '../small-disk.ts';
import { HAS_REDIS, startRedis } from './redis.ts';
import { startWorkerProcess } from './worker-process.ts';

const CHILD = await bundledProgram('kill-child');
const MOTIONS = 12;

describe.skipIf(!HAS_REDIS || !IS_FULL_RUN)('a batch on a queue', () => {
  const at = temporaryFolder();

  it('stops when the shared disk is full, again and again, and goes on when there is space', async (context) => {
    const disk = at('disk');
    if (!mountDisk(disk, '1m')) return context.skip();
    mkdirSync(at('redis'));
    const redis = await startRedis(at('redis'));
    const url = `redis://127.0.0.1:${redis.port}`;
    const inputs = makeInputs(at('library'), MOTIONS);
    const workers = [startWorkerProcess(url), startWorkerProcess(url)];
    const runBatch = async (): Promise<number> => {
      const args = [CHILD, disk, inputs, url];
      const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
      return Number(code);
    };
    try {
      const random = makeRandom(19);
      let kilobytes = 1024;
      let finished: string[] = [];
      const codes: number[] = [];
      const again: string[] = [];
      do {
        const before = idsIn(`${disk}.log`).length;
        codes.push(await runBatch());
        again.push(
          ...idsIn(`${disk}.log`)
            .slice(before)
            .filter((id) => finished.includes(id)),
        );
        finished = finishedIds(disk);
        kilobytes += Math.ceil(200 + 1200 * random());
        growDisk(disk, `${kilobytes}k`);
      } while (codes.at(-1) !== 0 && codes.length < 50);
      console.log(`the disk was full ${codes.length - 1} times, at last ${kilobytes} kB`);
      expect(codes.length).toBeGreaterThan(2);
      expect(codes.slice(0, -1).filter((code) => code !== 4)).toEqual([]);
      expect(again).toEqual([]);
      expect((await runInputs(at('whole'), inputs)).failure).toBe(null);
      expect(differentResults(resultsIn(disk), resultsIn(at('whole')))).toEqual([]);
      expect(resultsIn(disk).size).toBe(2 * MOTIONS);
    } finally {
      for (const { child } of workers) child.kill('SIGKILL');
      await redis.kill();
      unmountDisk(disk);
    }
  }, 400_000);
});
