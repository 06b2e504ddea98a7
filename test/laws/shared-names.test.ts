import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mapBones } from '../../src/core/humanoid/mapping/map-bones.ts';
import { makeCharacter } from '../../src/demo/characters/make-character.ts';
import { BLENDER_RIG, BVH_RIG, MIXAMO_RIG, UNREAL_RIG, VRM0_RIG, VRM1_RIG } from '../../src/demo/characters/rigs.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const RIGS = [MIXAMO_RIG, UNREAL_RIG, BLENDER_RIG, BVH_RIG, VRM0_RIG, VRM1_RIG].map(
  (rig) => makeCharacter(rig).skeleton,
);
const WORDS = ['Body', 'Big_Foot', 'Left', 'Head', 'HandMade', 'Arm01', 'Hips', 'Alice', 'Neck2', 'Eye', 'Index'];

describe('mapBones', () => {
  test('finds the same bones with any prefix and suffix that all names share, and with unique numbers', () => {
    const shared = fc.record({
      rig: fc.constantFrom(...RIGS),
      prefix: fc.option(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom('_', '-', '.', ':', ' ')), { nil: null }),
      numbered: fc.constantFrom('no', 'first', 'last'),
      suffix: fc.option(
        fc.tuple(fc.constantFrom('_', '.', '-'), fc.constantFrom('lod0', 'LOD1', '001', 'body', 'foot_2', '0')),
        { nil: null },
      ),
    });
    fc.assert(
      fc.property(shared, ({ rig, prefix, suffix, numbered }) => {
        const names = rig.names.map((name, node) => {
          const own = numbered === 'no' ? name : numbered === 'first' ? `${node}_${name}` : `${name}_${node}`;
          return `${prefix?.join('') ?? ''}${own}${suffix?.join('') ?? ''}`;
        });
        expect(mapBones({ ...rig, names }).map.nodes).toEqual(mapBones(rig).map.nodes);
      }),
      { numRuns: LAW_RUNS },
    );
  });
});
