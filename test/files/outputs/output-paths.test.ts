import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/files/option-error.ts';
import { isTemplate, mainPaths, outputGroups } from '../../../src/files/outputs/output-paths.ts';

const parts = (...names: string[]) => names.map((clip, index) => ({ clip, file: 'pack', character: 'avatar', index }));

describe('outputGroups', () => {
  it('puts all clips into one file', () => {
    expect(outputGroups('out/a.glb', parts('walk', 'run'))).toEqual([{ path: 'out/a.glb', clips: [0, 1] }]);
  });

  it('makes a file a clip by a template, numbered where names are equal', () => {
    const groups = outputGroups('out/{file}-{clip}.bvh', parts('walk', 'run', 'walk'));
    expect(groups.map(({ path }) => path)).toEqual(['out/pack-walk.bvh', 'out/pack-run.bvh', 'out/pack-walk 2.bvh']);
    expect(groups.map(({ clips }) => clips)).toEqual([[0], [1], [2]]);
  });

  it('keeps names of clips from making folders', () => {
    const paths = outputGroups('o/{clip}.vrma', parts('Armature|walk', '../../etc/passwd', '..', 'a:b')).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(['o/Armature_walk.vrma', 'o/.._.._etc_passwd.vrma', 'o/_.vrma', 'o/a_b.vrma']);
  });

  it.each(['a.bvh', 'a.vrma'])('refuses several clips in %s, and says how to have a file each', (output) => {
    expect(() => outputGroups(output, parts('walk', 'run'))).toThrow(OptionError);
    expect(() => outputGroups(output, parts('walk', 'run'))).toThrow(/\{clip\}/);
    expect(outputGroups(output, parts('walk'))).toHaveLength(1);
  });

  it('refuses other words in braces', () => {
    expect(() => outputGroups('{name}.glb', parts('walk'))).toThrow(/\{name\}.*\{clip\}/);
  });
});

describe('mainPaths', () => {
  it('are those of clips, not of what these name', () => {
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
  it('is true with braces only', () => {
    expect([isTemplate('a.glb'), isTemplate('{clip}.glb')]).toEqual([false, true]);
  });
});
