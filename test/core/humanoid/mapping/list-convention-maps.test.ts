import { expect, it } from 'vitest';
import { BONE, BONES, REQUIRED_BONES } from '../../../../src/core/humanoid/bones.ts';
import { listConventionMaps } from '../../../../src/core/humanoid/mapping/list-convention-maps.ts';
import { mapBones } from '../../../../src/core/humanoid/mapping/map-bones.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';

it.each(['mixamo', 'unreal'] as const)(
  'listConventionMaps: the best map of a rig with names of %s has the detected nodes',
  (naming) => {
    const { skeleton } = makeCharacter({ naming });
    const [best] = listConventionMaps(skeleton);
    const { map } = mapBones(skeleton);
    expect(best.from).toBe(map.from);
    // The shape may add what the names lack, such as eyes.
    for (const [bone, node] of best.nodes.entries()) if (node >= 0) expect(node).toBe(map.nodes[bone]);
    for (const bone of REQUIRED_BONES) expect(best.nodes[BONE[bone]]).toBeGreaterThanOrEqual(0);
  },
);

it('listConventionMaps: absent bones have no confidence', () => {
  for (const { nodes, confidence } of listConventionMaps(makeCharacter({ naming: 'mixamo' }).skeleton)) {
    expect(BONES.every((bone) => nodes[BONE[bone]] >= 0 === confidence[BONE[bone]] > 0)).toBe(true);
  }
});

it('listConventionMaps: names that say nothing match no convention', () => {
  const { skeleton } = makeCharacter({ naming: 'mixamo' });
  const names = skeleton.names.map((_, node) => `Bone.${node}`);
  expect(listConventionMaps({ ...skeleton, names })).toEqual([]);
});
