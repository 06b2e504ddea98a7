import { expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { addFinding, type Findings, reportFindings } from '../../../../src/formats/usd/read/geometry-findings.ts';

it('reportFindings: creates one issue per kind, with the count and the first path', () => {
  const findings: Findings = new Map();
  for (let i = 0; i < 1000; i++) addFinding(findings, 'USD_GEOMETRY', 'Faces were left out', `/M${i}`, 2);
  addFinding(findings, 'GEOMETRY_DROPPED', 'Hair was left out', '/Hair');
  addFinding(findings, 'GEOMETRY_DROPPED', 'Nothing happened', '/Hair', 0);
  const issues: Issue[] = [];
  reportFindings(findings, issues);
  expect(issues).toEqual([
    {
      code: 'USD_GEOMETRY',
      severity: 'warning',
      message: 'Faces were left out (2000 occurrences, the first at /M0).',
      where: { pointer: '/M0' },
    },
    {
      code: 'GEOMETRY_DROPPED',
      severity: 'info',
      message: 'Hair was left out (1 occurrence, at /Hair).',
      where: { pointer: '/Hair' },
    },
  ]);
});
