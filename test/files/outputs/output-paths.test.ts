import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { checkTemplate, isTemplate, outputGroups, pathsOf } from '../../../src/files/outputs/output-paths.ts';

const parts = (...names: string[]) => names.map((clip, index) => ({ clip, file: 'pack', character: 'avatar', index }));

describe('outputGroups', () => {
  it('assigns all clips to one file without a template', () => {
    expect(outputGroups('out/a.glb', parts('walk', 'run'))).toEqual([{ path: 'out/a.glb', clips: [0, 1] }]);
  });

  it('assigns one file per clip for a template, numbered for repeated names', () => {
    const groups = outputGroups('out/{file}-{clip}.bvh', parts('walk', 'run', 'walk'));
    expect(groups.map(({ path }) => path)).toEqual(['out/pack-walk.bvh', 'out/pack-run.bvh', 'out/pack-walk 2.bvh']);
    expect(groups.map(({ clips }) => clips)).toEqual([[0], [1], [2]]);
  });

  it('numbers paths that differ only in case, which are one file on some systems', () => {
    const paths = outputGroups('{clip}.glb', parts('Walk', 'walk', 'WALK 2')).map(({ path }) => path);
    expect(paths).toEqual(['Walk.glb', 'walk 2.glb', 'WALK 2 2.glb']);
  });

  it('keeps paths unique across calls with the same set', () => {
    const taken = new Set<string>();
    const paths = ['walk', 'run', 'walk'].flatMap((name) => outputGroups('{clip}.bvh', parts(name), taken));
    expect(paths.map(({ path }) => path)).toEqual(['walk.bvh', 'run.bvh', 'walk 2.bvh']);
  });

  it('replaces path separators in clip names', () => {
    const paths = outputGroups('o/{clip}.vrma', parts('Armature|walk', '../../etc/passwd', '..', 'a:b')).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(['o/Armature_walk.vrma', 'o/.._.._etc_passwd.vrma', 'o/_.vrma', 'o/a_b.vrma']);
  });

  it.each(['a.bvh', 'a.vrma'])('throws for several clips in %s, and suggests {clip}', (output) => {
    expect(() => outputGroups(output, parts('walk', 'run'))).toThrow(OptionError);
    expect(() => outputGroups(output, parts('walk', 'run'))).toThrow(/\{clip\}/);
    expect(outputGroups(output, parts('walk'))).toHaveLength(1);
  });

  it('throws for unknown placeholders', () => {
    expect(() => outputGroups('{name}.glb', parts('walk'))).toThrow(/\{name\}.*\{clip\}/);
  });
});

it('pathsOf: lists every file once, in the order of writing', () => {
  const files = ['skin.png', 'a.gltf', 'skin.png', 'b.gltf'].map((path) => ({ path }));
  expect(pathsOf(files)).toEqual(['skin.png', 'a.gltf', 'b.gltf']);
});

it('checkTemplate: throws for unknown placeholders and extensions', () => {
  expect(() => checkTemplate('out/{file}-{clip}.glb')).not.toThrow();
  expect(() => checkTemplate('{name}.glb')).toThrow(OptionError);
  expect(() => checkTemplate('{clip}.doc')).toThrow(OptionError);
});

describe('isTemplate', () => {
  it('is true only for paths with a placeholder', () => {
    expect([isTemplate('a.glb'), isTemplate('{clip}.glb')]).toEqual([false, true]);
  });
});
