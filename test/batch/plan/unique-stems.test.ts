import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uniqueStems } from '../../../src/batch/plan/plan-batch.ts';
import { lawRuns } from '../../support/law-runs.ts';

it('uniqueStems: uses the file name, then the extension, the folder and a hash', () => {
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

it('uniqueStems: gives different paths different names in any order, whatever they are called', () => {
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
