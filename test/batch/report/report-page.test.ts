import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { reportBatch } from '../../../src/batch/report/batch-report.ts';
import { reportPage } from '../../../src/batch/report/report-page.ts';

it('reportPage: needs no other file, lists the worst first, and no name of a file ends its script', () => {
  const { tasks } = planBatch({ motions: ['good.bvh', '</script><b>.bvh'], characters: ['x.glb'] });
  const report = { clips: [], figures: null, strips: [], issues: [] };
  const result = { state: 'ready', id: '', key: '', files: [], resources: [], report } as const;
  const page = reportPage(
    reportBatch([
      { task: tasks[0], state: 'made', result, failure: null },
      { task: tasks[1], state: 'failed', result: null, failure: { code: 'NOT_HUMANOID', message: '</script>' } },
    ]),
  );
  expect(page).not.toMatch(/(?:src|href)="/);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  const [, data] = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page) ?? [];
  const { rows } = JSON.parse(data) as { rows: { m: string; e: string | null }[] };
  expect(rows.map(({ e }) => e)).toEqual(['NOT_HUMANOID: </script>', null]);
});
