import { expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { type Findings, note, reportFindings } from '../../../../src/formats/gltf/geometry/geometry-findings.ts';

function reported(names: readonly string[]): readonly Issue[] {
  const findings: Findings = new Map();
  names.forEach((name, i) => {
    note(findings, 'attribute', name, `/meshes/${i}`);
  });
  const issues: Issue[] = [];
  reportFindings(findings, issues);
  return issues;
}

it('makes one issue of everything of a kind, at the place of the first', () => {
  expect(reported(['_A', '_B', '_A'])).toMatchObject([
    {
      code: 'GEOMETRY_DROPPED',
      message: '3 vertex attributes were left out: _A, _B',
      where: { pointer: '/meshes/0' },
    },
  ]);
  expect(reported(['_A'])[0].message).toBe('1 vertex attribute was left out: _A');
  expect(reported([])).toEqual([]);
});

it('counts what was found several times at one place', () => {
  const findings: Findings = new Map();
  note(findings, 'weightSum', '', '/accessors/3', 210);
  note(findings, 'weightSum', '', '/accessors/5');
  const issues: Issue[] = [];
  reportFindings(findings, issues);
  expect(issues).toMatchObject([
    { code: 'GEOMETRY_REPAIRED', message: expect.stringMatching(/^211 vertices/), where: { pointer: '/accessors/3' } },
  ]);
});

it('stays short, however many and long the names are', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `_${i}${'x'.repeat(1000)}`);
  const [{ message }] = reported(names);
  expect(message.length).toBeLessThan(1200);
  expect(message).toMatch(/^1000 .* …$/);
});
