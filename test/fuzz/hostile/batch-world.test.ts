import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeSurroundings } from '../../security/beside.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';
import { runBatchWorld } from './batch-world.ts';
import { watchReads } from './watch-reads.ts';

const at = temporaryFolder();

it('hostile journals, answers of workers, reports and jobs change and read nothing outside of the output folder', async () => {
  expect(await runBatchWorld({ seed: 34, first: 0, count: lawRuns(3000), folder: at() })).toEqual([]);
}, 300_000);

it('watchReads: finds what was read through a name inside of the folder, and stops', () => {
  const { secret } = makeSurroundings(at('watched'));
  const reads = watchReads();
  try {
    readFileSync(secret);
    expect(reads.take()).toEqual([secret]);
    expect(reads.take()).toEqual([]);
  } finally {
    reads.stop();
  }
  readFileSync(secret);
  expect(reads.take()).toEqual([]);
});

it('makeSurroundings: shows a file beside the output folder that was changed', () => {
  const { beside, secret, out } = makeSurroundings(at('changed'));
  const before = beside();
  writeFileSync(`${out}/result`, '');
  expect(beside()).toEqual(before);
  writeFileSync(secret, 'changed');
  expect(beside()).not.toEqual(before);
});
