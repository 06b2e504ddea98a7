import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planBatch, uniqueStems } from '../../../src/batch/plan/plan-batch.ts';
import { lawRuns } from '../../support/law-runs.ts';

describe('planBatch', () => {
  const motions = ['m/walk.fbx', 'm/wave.bvh'];
  const characters = ['c/hero.glb', 'c/avatar.vrm', 'c/actor.usdz'];

  it('makes one task per pair, those of a character together, in the format of the character', () => {
    const { tasks } = planBatch({ motions, characters });
    expect(tasks.map(({ id, format }) => `${id}.${format}`)).toEqual([
      'hero/walk.glb',
      'hero/wave.glb',
      'avatar/walk.vrma',
      'avatar/wave.vrma',
      'actor/walk.usdz',
      'actor/wave.usdz',
    ]);
    expect(tasks[0]).toMatchObject({ kind: 'pair', motions: ['m/walk.fbx'], character: 'c/hero.glb', options: {} });
  });

  it('gives pairs of a manifest their own options over those of the request, and makes repeated pairs once', () => {
    const pairs = [{ motion: 'm/walk.fbx', character: 'c/hero.glb', options: { fps: 30 } }];
    const { tasks } = planBatch({
      motions: [...motions, ...motions],
      characters: ['c/hero.glb'],
      pairs,
      options: { fps: 60, mesh: false },
    });
    expect(tasks.map(({ id, options }) => [id, options])).toEqual([
      ['hero/walk', { fps: 30, mesh: false }],
      ['hero/wave', { fps: 60, mesh: false }],
    ]);
  });

  it('packs all motions of a character into one file, of a VRM into a .vrm', () => {
    const { tasks } = planBatch({ motions, characters, mode: 'pack' });
    expect(tasks.map(({ id, format, motions: all }) => [`${id}.${format}`, all.length])).toEqual([
      ['hero.glb', 2],
      ['avatar.vrm', 2],
      ['actor.usdz', 2],
    ]);
  });

  it('gives an FBX character its motion as FBX, which keeps all else in the file', () => {
    const { tasks } = planBatch({ motions: ['m/walk.bvh'], characters: ['c/Hero.FBX'] });
    expect(tasks.map(({ format }) => format)).toEqual(['fbx']);
  });

  it('extracts one clip library per motion', () => {
    const { tasks } = planBatch({ motions, mode: 'extract' });
    expect(tasks).toMatchObject([
      { id: 'walk', kind: 'extract', character: null, format: 'glb' },
      { id: 'wave', kind: 'extract', character: null, format: 'glb' },
    ]);
  });

  it('refuses formats that cannot hold the results, and requests without pairs', () => {
    expect(() => planBatch({ motions, characters, mode: 'pack', format: 'bvh' })).toThrow(/holds one clip/);
    expect(() => planBatch({ motions, mode: 'extract', format: 'vrma' })).toThrow(/Clip libraries are .glb/);
    expect(() => planBatch({ motions })).toThrow(/There is no pair/);
    expect(() => planBatch({ mode: 'extract' })).toThrow(/There is no motion/);
  });
});

describe('uniqueStems', () => {
  it('uses the file name, then the extension, the folder and a hash', () => {
    const paths = ['a/walk.fbx', 'a/run.fbx', 'a/run.bvh', 'x/idle.glb', 'y/idle.glb', 'p/q/jump.glb', 'r/q/JUMP.glb'];
    const names = uniqueStems(paths);
    expect(paths.map((path) => names.get(path))).toEqual([
      'walk',
      'run.fbx',
      'run.bvh',
      'x-idle.glb',
      'y-idle.glb',
      expect.stringMatching(/^jump-[0-9a-f]{8}$/),
      expect.stringMatching(/^JUMP-[0-9a-f]{8}$/),
    ]);
  });

  it('gives different paths different names in any order, whatever they are called', () => {
    const part = fc.constantFrom('a', 'A', 'walk', 'Walk', 'a:b', 'a_b', '.hidden', 'x.y');
    const path = fc.tuple(part, part, part).map(([a, b, c]) => `${a}/${b}/${c}.glb`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 30 }), (paths) => {
        const names = uniqueStems(paths);
        const all = paths.map((one) => names.get(one)?.toLowerCase());
        expect(new Set(all).size).toBe(paths.length);
        expect(uniqueStems([...paths].reverse())).toEqual(names);
      }),
      { numRuns: lawRuns(100) },
    );
  });
});
