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
  expect(issueLines(issues, plain, true)).toEqual([
    'error NOT_HUMANOID: a.glb is not',
    'warning GLTF_SKIN: Invalid (a.glb, /skins/0)',
    'info BONES_MISSING_IN_TARGET: Missing (a.glb)',
  ]);
});

it('issueLines: leaves out infos unless it is verbose', () => {
  const issues = [issue('UNIT_GUESSED', 'Guessed'), issue('GLTF_SKIN', 'Invalid')];
  expect(issueLines(issues, plain, false)).toEqual(['warning GLTF_SKIN: Invalid']);
  expect(issueLines(issues.slice(0, 1), plain, false)).toEqual([]);
});

it('issueLines: limits the number of lines per code and shortens long messages, unless it is verbose', () => {
  const many = Array.from({ length: 12 }, (_, k) => issue('GLTF_SKIN', `Skin ${k} is invalid`));
  const all = [...many, issue('KEYS_REPAIRED', 'x'.repeat(1000))];
  const lines = issueLines(all, plain, false);
  expect(lines).toHaveLength(7);
  expect(lines[6]).toBe('and 7 more GLTF_SKIN; --verbose lists all');
  expect(lines[5].length).toBeLessThan(340);
  expect(lines[5]).toMatch(/… \(complete with --verbose\)$/);
  const complete = issueLines(all, plain, true);
  expect(complete).toHaveLength(13);
  expect(complete[12]).toContain('x'.repeat(1000));
});

it('issueLines: counts equal messages of several files instead of repeating them', () => {
  const files = ['a.bvh', 'b.bvh', 'c.bvh', 'd.bvh'];
  const limbs = files.map((resource) => issue('POSE_LIMB_AMBIGUOUS', 'leftPalm is ambiguous.', { resource }));
  const empty = files.slice(0, 2).map((resource) => issue('CLIP_EMPTY', `${resource} has no clips`, { resource }));
  const twice = [issue('TEXTURE_DROPPED', 'It has no type.'), issue('TEXTURE_DROPPED', 'It has no type.')];
  expect(issueLines([...limbs, ...empty, ...twice], plain, false)).toEqual([
    'warning POSE_LIMB_AMBIGUOUS: leftPalm is ambiguous. (4 files: a.bvh, b.bvh, c.bvh …)',
    'warning CLIP_EMPTY: a.bvh has no clips (2 files: a.bvh, b.bvh)',
    'warning TEXTURE_DROPPED: It has no type. (2 times)',
  ]);
});

it('issueLines: combines messages for left and right', () => {
  const sides = ['left', 'right'].map((side) => {
    return issue('POSE_LIMB_AMBIGUOUS', `${side}Palm is ambiguous.`, { resource: 'a.bvh' });
  });
  expect(issueLines([...sides, issue('POSE_LIMB_AMBIGUOUS', 'leftToes are ambiguous.')], plain, false)).toEqual([
    'warning POSE_LIMB_AMBIGUOUS: leftPalm is ambiguous. (a.bvh, also rightPalm)',
    'warning POSE_LIMB_AMBIGUOUS: leftToes are ambiguous.',
  ]);
});

it('issueLines: keeps messages apart that differ in more than their file', () => {
  const issues = [
    issue('GLTF_SKIN', 'Invalid', { pointer: '/skins/0', resource: 'a.glb' }),
    issue('GLTF_SKIN', 'Invalid', { pointer: '/skins/1', resource: 'b.glb' }),
  ];
  expect(issueLines(issues, plain, false)).toEqual([
    'warning GLTF_SKIN: Invalid (a.glb, /skins/0)',
    'warning GLTF_SKIN: Invalid (b.glb, /skins/1)',
  ]);
});
