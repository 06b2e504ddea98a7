import { expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { countIssue, type GeometryIssues, reportCounts } from '../../../../src/formats/gltf/meshes/geometry-issues.ts';

function reported(names: readonly string[]): readonly Issue[] {
  const counts: GeometryIssues = new Map();
  names.forEach((name, i) => {
    countIssue(counts, 'attribute', name, `/meshes/${i}`);
  });
  const issues: Issue[] = [];
  reportCounts(counts, issues);
  return issues;
}

it('reportCounts: adds one issue per kind, located at the first occurrence', () => {
  expect(reported(['_A', '_B', '_A'])).toMatchObject([
    {
      code: 'GEOMETRY_DROPPED',
      message: '3 vertex attributes were dropped as unsupported: _A, _B',
      where: { pointer: '/meshes/0' },
    },
  ]);
  expect(reported(['_A'])[0].message).toBe('1 vertex attribute was dropped as unsupported: _A');
  expect(reported([])).toEqual([]);
});

it('countIssue: counts several occurrences at one pointer', () => {
  const counts: GeometryIssues = new Map();
  countIssue(counts, 'weightSum', '', '/accessors/3', 210);
  countIssue(counts, 'weightSum', '', '/accessors/5');
  const issues: Issue[] = [];
  reportCounts(counts, issues);
  expect(issues).toMatchObject([
    { code: 'GEOMETRY_REPAIRED', message: expect.stringMatching(/^211 vertices/), where: { pointer: '/accessors/3' } },
  ]);
});

it('reportCounts: limits the number and length of names', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `_${i}${'x'.repeat(1000)}`);
  const [{ message }] = reported(names);
  expect(message.length).toBeLessThan(1200);
  expect(message).toMatch(/^1000 .* …$/);
});
