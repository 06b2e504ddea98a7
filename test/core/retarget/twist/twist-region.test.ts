import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { mapNodesToBones } from '../../../../src/core/humanoid/node-bones.ts';
import {
  findTwistRegions,
  isDescendantBone,
  nodesBetween,
  transformIn,
} from '../../../../src/core/retarget/twist/twist-region.ts';
import { tinyHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { aboutAxis } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const quarter = aboutAxis([0, 0, 1], Math.PI / 2);
const target = tinyHumanoid(
  { name: 'armature' },
  { name: 'hips', parent: 'armature', at: [0, 1, 0], scale: [5, 5, 5] },
  { name: 'a', parent: 'hips', at: [1, 0, 0], turn: quarter, scale: [2, 2, 2] },
  { name: 'b', parent: 'a', at: [1, 0, 0] },
  { name: 'spine', parent: 'b', at: [0, 1, 0] },
  { name: 'beside', parent: 'a' },
  { name: 'head', parent: 'spine' },
);
const regions = findTwistRegions(target, mapNodesToBones(target.map.nodes, 7));

describe('findTwistRegions', () => {
  test('finds the nodes between a bone and the next bones; bones without such nodes have no region', () => {
    expect(regions.map(({ bone, nodes, childBones }) => ({ bone, nodes, childBones }))).toEqual([
      { bone: BONE.hips, nodes: [2, 3, 5], childBones: [BONE.spine] },
    ]);
  });

  test('returns transforms in the axes and units of the bone', () => {
    const transform = transformIn(regions[0], 3);
    expectNear(transform.position, [1, 2, 0], EXACT);
    expectNear(transform.rotation, quarter, EXACT);
    expectNear(transformIn(regions[0], 4).position, [-1, 2, 0], EXACT);
    expectNear(transformIn(regions[0], 1).position, [0, 0, 0], EXACT);
  });
});

describe('nodesBetween', () => {
  test('lists the nodes between from the top down', () => {
    expect(nodesBetween(regions[0], target.skeleton.parents, 4)).toEqual([2, 3]);
    expect(nodesBetween(regions[0], target.skeleton.parents, 2)).toEqual([]);
  });
});

describe('isDescendantBone', () => {
  test('uses the tree of all bones; a bone is not its own descendant', () => {
    expect(isDescendantBone(BONE.leftIndexProximal, BONE.leftHand)).toBe(true);
    expect(isDescendantBone(BONE.leftIndexProximal, BONE.rightHand)).toBe(false);
    expect(isDescendantBone(BONE.leftHand, BONE.leftHand)).toBe(false);
    expect(isDescendantBone(BONE.hips, BONE.hips)).toBe(false);
  });
});
