import { describe, expect, it } from 'vitest';
import { defaultClipName, expandTemplate, makeUnique, stemOf } from '../../../src/files/clips/clip-names.ts';
import { OptionError } from '../../../src/files/option-error.ts';

describe('stemOf', () => {
  it.each([
    ['walk.glb', 'walk'],
    ['motions/walk.v2.glb', 'walk.v2'],
    ['C:\\motions\\walk.bvh', 'walk'],
    ['.hidden', '.hidden'],
    ['walk', 'walk'],
    ['folder.d/walk', 'walk'],
  ])('returns the stem of %s: %s', (path, stem) => {
    expect(stemOf(path)).toBe(stem);
  });
});

describe('defaultClipName', () => {
  it.each(['', '  ', 'mixamo.com', 'Take 001', 'TAKE 001'])(
    'returns the stem of the file for the generic name %j',
    (name) => {
      expect(defaultClipName(name, 'a/jump.glb')).toBe('jump');
    },
  );

  it('returns other names unchanged', () => {
    expect(defaultClipName(' Walk ', 'a/jump.glb')).toBe(' Walk ');
    expect(defaultClipName('Take 0012', 'a/jump.glb')).toBe('Take 0012');
  });
});

describe('expandTemplate', () => {
  const parts = { clip: 'run', file: 'pack', character: 'hero', index: 3 };

  it('fills every placeholder, also repeated ones', () => {
    expect(expandTemplate('{character}/{file}-{index}_{clip}{clip}', parts)).toBe('hero/pack-3_runrun');
  });

  it('does not expand placeholders inside the values', () => {
    expect(expandTemplate('{clip}', { ...parts, clip: '{file}$&' })).toBe('{file}$&');
  });

  it('throws for unknown placeholders, also for names of object members', () => {
    expect(() => expandTemplate('{name}', parts)).toThrow(OptionError);
    expect(() => expandTemplate('{toString}', parts)).toThrow(/\{clip\}, \{file\}, \{character\} or \{index\}/);
    expect(() => expandTemplate('{}', parts)).toThrow(OptionError);
  });
});

describe('makeUnique', () => {
  it('numbers taken names, starting at 2', () => {
    const taken = new Set(['walk', 'run 2']);
    expect(['walk', 'walk', 'run', 'run', 'jump'].map((name) => makeUnique(name, taken))).toEqual([
      'walk 2',
      'walk 3',
      'run',
      'run 3',
      'jump',
    ]);
  });
});
