import { expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { type Findings, note, reportFindings } from '../../../../src/formats/usd/read/geometry-findings.ts';

it('a thousand findings of a kind are one issue, with the place of the first', () => {
  const findings: Findings = new Map();
  for (let i = 0; i < 1000; i++) note(findings, 'USD_GEOMETRY', 'Faces were left out', `/M${i}`, 2);
  note(findings, 'GEOMETRY_DROPPED', 'Hair was left out', '/Hair');
  note(findings, 'GEOMETRY_DROPPED', 'Nothing happened', '/Hair', 0);
  const issues: Issue[] = [];
  reportFindings(findings, issues);
  expect(issues).toEqual([
    {
      code: 'USD_GEOMETRY',
      severity: 'warning',
      message: 'Faces were left out: 2000, the first at /M0.',
      where: { pointer: '/M0' },
    },
    {
      code: 'GEOMETRY_DROPPED',
      severity: 'info',
      message: 'Hair was left out: 1, at /Hair.',
      where: { pointer: '/Hair' },
    },
  ]);
});
