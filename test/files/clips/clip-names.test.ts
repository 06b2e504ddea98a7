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
  ])('of %s is %s', (path, stem) => {
    expect(stemOf(path)).toBe(stem);
  });
});

describe('defaultClipName', () => {
  it.each(['', '  ', 'mixamo.com', 'Take 001', 'TAKE 001'])('is the stem of the file for %j', (name) => {
    expect(defaultClipName(name, 'a/jump.glb')).toBe('jump');
  });

  it('is the name of the clip otherwise, as it is', () => {
    expect(defaultClipName(' Walk ', 'a/jump.glb')).toBe(' Walk ');
    expect(defaultClipName('Take 0012', 'a/jump.glb')).toBe('Take 0012');
  });
});

describe('expandTemplate', () => {
  const parts = { clip: 'run', file: 'pack', character: 'hero', index: 3 };

  it('puts in every part, also repeatedly', () => {
    expect(expandTemplate('{character}/{file}-{index}_{clip}{clip}', parts)).toBe('hero/pack-3_runrun');
  });

  it('leaves names with braces as they are and does not expand what it has put in', () => {
    expect(expandTemplate('{clip}', { ...parts, clip: '{file}$&' })).toBe('{file}$&');
  });

  it('refuses what it does not know, members of objects too', () => {
    expect(() => expandTemplate('{name}', parts)).toThrow(OptionError);
    expect(() => expandTemplate('{toString}', parts)).toThrow(/\{clip\}, \{file\}, \{character\} and \{index\}/);
    expect(() => expandTemplate('{}', parts)).toThrow(OptionError);
  });
});

describe('makeUnique', () => {
  it('numbers what is taken, from 2 on', () => {
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
