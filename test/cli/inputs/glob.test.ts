import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandBraces, findFiles, isPattern, segmentMatcher } from '../../../src/cli/inputs/glob.ts';
import { temporaryFolder } from '../../support/make/demo-files.ts';

const at = temporaryFolder();
for (const path of [
  'b.fbx',
  'a.fbx',
  'c.BVH',
  'walk[1].fbx',
  '.hidden.fbx',
  'deep/d.fbx',
  'deep/er/e.fbx',
  'deep/.git/f.fbx',
]) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '');
}
mkdirSync(at('folder.fbx'));
symlinkSync(at(), at('deep/loop'));

const found = (pattern: string, ignoresCase = false): string[] => {
  return findFiles(at(pattern), ignoresCase).map((path) => path.slice(at().length + 1).replaceAll('\\', '/'));
};

describe('findFiles', () => {
  it.each([
    ['*.fbx', ['a.fbx', 'b.fbx', 'walk[1].fbx']],
    ['?.fbx', ['a.fbx', 'b.fbx']],
    ['[!a].fbx', ['b.fbx']],
    ['[b-z].*', ['b.fbx', 'c.BVH']],
    ['walk[[]1[]].fbx', ['walk[1].fbx']],
    ['{b,a}.fbx', ['b.fbx', 'a.fbx']],
    ['{a,?}.fbx', ['a.fbx', 'b.fbx']],
    ['.*.fbx', ['.hidden.fbx']],
    ['*/*.fbx', ['deep/d.fbx']],
    ['**/*.fbx', ['a.fbx', 'b.fbx', 'walk[1].fbx', 'deep/d.fbx', 'deep/er/e.fbx']],
    ['deep/**', ['deep/d.fbx', 'deep/er/e.fbx']],
    ['./deep/../deep/*.fbx', ['deep/d.fbx']],
    ['nothing/*.fbx', []],
    ['a.fbx/*', []],
    ['[z-a].fbx', []],
  ])('finds the files of %s, sorted, without folders and hidden files', (pattern, expected) => {
    expect(found(pattern)).toEqual(expected);
  });

  it('ignores case on request', () => {
    expect(found('*.bvh')).toEqual([]);
    expect(found('*.bvh', true)).toEqual(['c.BVH']);
  });
});

describe('expandBraces', () => {
  it('expands nested and empty alternatives, and keeps braces without a comma', () => {
    expect(expandBraces('a{b,c{d,e}}f')).toEqual(['abf', 'acdf', 'acef']);
    expect(expandBraces('w{,2}.{x,y}')).toEqual(['w.x', 'w.y', 'w2.x', 'w2.y']);
    expect(expandBraces('a{1}{')).toEqual(['a{1}{']);
  });

  it('keeps a pattern with too many alternatives', () => {
    const many = '{a,b}'.repeat(20);
    expect(expandBraces(many)).toEqual([many]);
  });
});

describe('segmentMatcher', () => {
  it('takes all characters that patterns do not use literally', () => {
    for (const name of ['a+b(1)^$.fbx', 'a|b', '\\d', 'ü💃.bvh'])
      expect(segmentMatcher(name, false).test(name)).toBe(true);
    expect(segmentMatcher('a.fbx', false).test('axfbx')).toBe(false);
    expect(segmentMatcher('?.bvh', false).test('💃.bvh')).toBe(true);
    expect(segmentMatcher('[', false).test('[')).toBe(true);
  });
});

it('isPattern: recognizes wildcards, sets and braces', () => {
  expect(['a*', 'a?', '[a]', '{a,b}', 'a b-c_d.fbx', '@list.txt'].map(isPattern)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
