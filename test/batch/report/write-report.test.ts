import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reportBatch } from '../../../src/batch/report/batch-report.ts';
import { reportPage } from '../../../src/batch/report/report-page.ts';
import { removeReports, writeReport } from '../../../src/batch/report/write-report.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();

it('writeReport: replaces data and page of a whole batch; a shard has only data, which removeReports removes', async () => {
  const whole = reportBatch([]);
  await writeReport(at('out'), whole);
  expect(await writeReport(at('out'), whole)).toEqual([at('out/report.json'), at('out/report.html')]);
  expect(JSON.parse(readFileSync(at('out/report.json'), 'utf8'))).toEqual(whole);
  expect(readFileSync(at('out/report.html'), 'utf8')).toBe(reportPage(whole));
  const paths = await writeReport(at('out'), reportBatch([], { index: 2, count: 3 }));
  expect(readdirSync(at('out')).sort()).toEqual(['report-2-of-3.json', 'report.html', 'report.json']);
  await removeReports([...paths, at('out/missing.json')]);
  expect(readdirSync(at('out')).sort()).toEqual(['report.html', 'report.json']);
});
