import { describe, expect, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { bonesOfNodes } from '../../../src/core/humanoid/node-bones.ts';
import { isBoneBelow, nodesBetween, shareRegions } from '../../../src/core/retarget/share-region.ts';
import { tinyHumanoid } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

const turn = aboutAxis([0, 0, 1], Math.PI / 2);
const body = tinyHumanoid(
  { name: 'armature' },
  { name: 'hips', parent: 'armature', at: [0, 1, 0], scale: [5, 5, 5] },
  { name: 'a', parent: 'hips', at: [1, 0, 0], turn, scale: [2, 2, 2] },
  { name: 'b', parent: 'a', at: [1, 0, 0] },
  { name: 'spine', parent: 'b', at: [0, 1, 0] },
  { name: 'beside', parent: 'a' },
  { name: 'head', parent: 'spine' },
);
const regions = shareRegions(body, bonesOfNodes(body.map.nodes, 7));

describe('shareRegions', () => {
  test('finds the nodes below a bone down to the next bones; bones without such nodes have no region', () => {
    expect(regions.map(({ bone, nodes, below }) => ({ bone, nodes, below }))).toEqual([
      { bone: BONE.hips, nodes: [2, 3, 5], below: [BONE.spine] },
    ]);
  });

  test('tells places along the axes of the bone, in its units', () => {
    const place = regions[0].places.get(3)!;
    expectNear(place.position, [1, 2, 0], EXACT);
    expectNear(place.rotation, turn, EXACT);
    expectNear(regions[0].places.get(4)!.position, [-1, 2, 0], EXACT);
    expectNear(regions[0].places.get(1)!.position, [0, 0, 0], EXACT);
  });
});

describe('nodesBetween', () => {
  test('lists the nodes of the way from the top', () => {
    expect(nodesBetween(regions[0], body.skeleton.parents, 4)).toEqual([2, 3]);
    expect(nodesBetween(regions[0], body.skeleton.parents, 2)).toEqual([]);
  });
});

describe('isBoneBelow', () => {
  test('asks the tree of all bones; a bone is not below itself', () => {
    expect(isBoneBelow(BONE.leftIndexProximal, BONE.leftHand)).toBe(true);
    expect(isBoneBelow(BONE.leftIndexProximal, BONE.rightHand)).toBe(false);
    expect(isBoneBelow(BONE.leftHand, BONE.leftHand)).toBe(false);
    expect(isBoneBelow(BONE.hips, BONE.hips)).toBe(false);
  });
});
