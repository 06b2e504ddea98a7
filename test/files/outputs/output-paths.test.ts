import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { isTemplate, mainPaths, outputGroups } from '../../../src/files/outputs/output-paths.ts';

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

describe('mainPaths', () => {
  it('lists files with clips, without their dependencies', () => {
    const files = [
      { path: 'out/parts/body.usda', parts: [], isDependency: true },
      { path: 'out/skin.png', parts: [], isDependency: true },
      { path: 'out/walk.usda', parts: [] },
      { path: 'out/run.bin', parts: [] },
      { path: 'out/run.usda', parts: [] },
    ];
    expect(mainPaths(files, 'out/{clip}.usda')).toEqual(['out/walk.usda', 'out/run.usda']);
  });
});

describe('isTemplate', () => {
  it('is true only for paths with a placeholder', () => {
    expect([isTemplate('a.glb'), isTemplate('{clip}.glb')]).toEqual([false, true]);
  });
});
