import { expect, it } from 'vitest';
import { issueLines } from '../../../src/cli/show/issues.ts';
import { issue } from '../../../src/core/report/issue.ts';

const plain = (_: string, text: string): string => text;

it('issueLines: lists errors first, with code and location, and the file unless the message names it', () => {
  const issues = [
    issue('BONES_MISSING_IN_TARGET', 'Missing', { resource: 'a.glb' }),
    issue('NOT_HUMANOID', 'a.glb is not', { resource: 'a.glb' }),
    issue('GLTF_SKIN', 'Invalid', { pointer: '/skins/0', resource: 'a.glb' }),
  ];
  expect(issueLines(issues, plain)).toEqual([
    'error NOT_HUMANOID: a.glb is not',
    'warning GLTF_SKIN: Invalid (a.glb, /skins/0)',
    'info BONES_MISSING_IN_TARGET: Missing (a.glb)',
  ]);
});

it('issueLines: limits the number of lines per code, and shortens long messages', () => {
  const many = Array.from({ length: 12 }, (_, k) => issue('GLTF_SKIN', `Skin ${k} is invalid`));
  const lines = issueLines([...many, issue('KEYS_REPAIRED', 'x'.repeat(1000))], plain);
  expect(lines).toHaveLength(7);
  expect(lines[6]).toBe('and 7 more GLTF_SKIN; --json lists all');
  expect(lines[5].length).toBeLessThan(340);
});
