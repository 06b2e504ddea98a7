import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import {
  FAILED_SCORE,
  mergeReports,
  readShardReports,
  reportBatch,
  reportName,
  scoreOf,
} from '../../../src/batch/report/batch-report.ts';
import { writeReport } from '../../../src/batch/report/write-report.ts';
import type { BatchEntry } from '../../../src/batch/run/run-batch.ts';
import { issue } from '../../../src/core/report/issue.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
const { tasks } = planBatch({ motions: ['b.bvh', 'a.bvh', 'c.bvh'], characters: ['x.glb'] });
const failure = { code: 'NOT_HUMANOID', message: 'a.bvh is not humanoid' };
const report = { clips: [], figures: null, strips: [], issues: [] };
const result = {
  state: 'ready',
  id: 'x/b',
  key: '1',
  files: [{ path: 'x/b.glb', bytes: 1, sha256: '0' }],
  resources: [],
  report,
} as const;
const entries: BatchEntry[] = [
  { task: tasks[0], state: 'made', result, failure: null },
  { task: tasks[1], state: 'failed', result: null, failure },
  { task: tasks[2], state: 'open', result: null, failure: null },
];

describe('reportBatch', () => {
  it('lists results and failures sorted by task, without tasks that were not tried', () => {
    const made = reportBatch(entries);
    expect(made).toMatchObject({
      ok: false,
      made: 1,
      failed: 1,
      entries: [
        { id: 'x/a', failure, score: FAILED_SCORE },
        { id: 'x/b', score: 0 },
      ],
    });
    expect(
      reportBatch(entries.map((entry) => ({ ...entry, state: entry.state === 'made' ? 'kept' : entry.state }))),
    ).toEqual(made);
  });

  it('has a name per shard', () => {
    expect([reportName(null), reportName({ index: 2, count: 7 })]).toEqual(['report.json', 'report-2-of-7.json']);
  });
});

describe('mergeReports', () => {
  const shards = entries.slice(0, 2).map((entry, k) => reportBatch([entry], { index: k + 1, count: 2 }));

  it('joins shards to the report of one machine, also after they were written', async () => {
    expect(mergeReports(shards)).toEqual(reportBatch(entries));
    for (const shard of shards) await writeReport(at('out'), shard);
    const { reports, paths } = await readShardReports([at('out')]);
    expect([mergeReports(reports), paths]).toEqual([
      reportBatch(entries),
      [at('out/report-1-of-2.json'), at('out/report-2-of-2.json')],
    ]);
  });

  it('names missing shards', async () => {
    expect(() => mergeReports(shards.slice(0, 1))).toThrow(/The reports of shards 2\/2 are missing/);
    expect(() => mergeReports([])).toThrow(/There is no report of a shard/);
    expect(() => mergeReports([shards[0], reportBatch([], { index: 2, count: 3 })])).toThrow(/not those of one set/);
    await expect(readShardReports([at('none')])).rejects.toThrow(/cannot be read: it does not exist/);
  });
});

const figures = {
  level: 'good',
  findings: [],
  errorScore: 0,
  errorMean: 0,
  errorMax: 0,
  changedMean: 0,
  movedMost: 0,
  slide: 5,
  slideOfSource: 5,
  below: 0,
  above: 0,
} as const;
const clean = { figures, issues: [], failure: null };

it('scoreOf: is the worst error, and does not count what was changed on purpose', () => {
  expect(scoreOf(clean)).toBe(0);
  expect(scoreOf({ ...clean, figures: { ...figures, errorScore: 2 } })).toBe(2);
  expect(scoreOf({ ...clean, figures: { ...figures, changedMean: 40, movedMost: 20 } })).toBe(0);
});

it('scoreOf: ranks failures above errors, errors above figures, and counts a repeated warning once', () => {
  const warning = issue('NODE_MATRIX_DECOMPOSED', 'a');
  const error = issue('FILE_LEFT_OUT', 'a');
  const failure = { code: 'BUG', message: '' };
  expect(scoreOf({ ...clean, failure })).toBe(FAILED_SCORE);
  expect(scoreOf({ ...clean, issues: [error] })).toBe(10);
  if (warning.severity === 'warning')
    expect(scoreOf({ ...clean, issues: [warning, { ...warning, message: 'b' }] })).toBe(0.1);
});
