import { expect, it } from 'vitest';
import { issueLines } from '../../../src/cli/show/issues.ts';
import { issue } from '../../../src/core/report/issue.ts';

const plain = (_: string, text: string): string => text;

it('shows errors first, with code and place, the file only where the message does not name it', () => {
  const issues = [
    issue('BONES_MISSING_IN_TARGET', 'Folded', { resource: 'a.glb' }),
    issue('NOT_HUMANOID', 'a.glb is not', { resource: 'a.glb' }),
    issue('GLTF_SKIN', 'Odd', { pointer: '/skins/0', resource: 'a.glb' }),
  ];
  expect(issueLines(issues, plain)).toEqual([
    'error NOT_HUMANOID: a.glb is not',
    'warning GLTF_SKIN: Odd (a.glb, /skins/0)',
    'info BONES_MISSING_IN_TARGET: Folded (a.glb)',
  ]);
});

it('shows some of many, and the beginning of what is long', () => {
  const many = Array.from({ length: 12 }, (_, k) => issue('GLTF_SKIN', `Skin ${k} is odd`));
  const lines = issueLines([...many, issue('KEYS_REPAIRED', 'x'.repeat(1000))], plain);
  expect(lines).toHaveLength(7);
  expect(lines[6]).toBe('and 7 more of GLTF_SKIN; all are in --json');
  expect(lines[5].length).toBeLessThan(340);
});
