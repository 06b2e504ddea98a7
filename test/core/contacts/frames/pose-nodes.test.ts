import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import { clipOfNodes, nodesOfLegs, poseNodes, withAncestors } from '../../../../src/core/contacts/frames/pose-nodes.ts';
import {
  createPosedCharacter,
  footClearance,
  trunkClearance,
} from '../../../../src/core/contacts/frames/posed-character.ts';
import { localToModelMatrices, localToModelRotations } from '../../../../src/core/skeleton/pose.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('withAncestors', () => {
  test('lists nodes once, parents before children', () => {
    expect([...withAncestors(Int32Array.of(-1, 0, 1, 0, 3), [4, 4, 1])]).toEqual([0, 1, 3, 4]);
    expect([...withAncestors(Int32Array.of(-1, 0), [])]).toEqual([]);
  });
});

describe('poseNodes', () => {
  test('gives the same numbers as a pose of all nodes: heights above the ground of feet and trunk', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const [all, some] = [createPosedCharacter(humanoid, surface), createPosedCharacter(humanoid, surface)];
    const nodes = nodesOfLegs(some, 'all', false);
    expect(nodes.length).toBeLessThan(humanoid.skeleton.parents.length);
    expect(nodesOfLegs(some, 'none', false).length).toBeLessThan(nodes.length);
    const few = clipOfNodes(walk, nodes);
    for (const time of [0, 0.21, 0.7]) {
      for (const character of [all, some]) character.local.set(humanoid.skeleton.rest);
      sampleClip(walk, time, all.local);
      localToModelMatrices(all.matrices, all.humanoid.skeleton.parents, all.local);
      localToModelRotations(all.rotations, all.humanoid.skeleton.parents, all.local);
      sampleClip(few, time, some.local);
      poseNodes(some, nodes);
      expect(trunkClearance(some)).toBe(trunkClearance(all));
      for (const side of ['left', 'right'] as const)
        expect(footClearance(some, some.legs[side]!)).toBe(footClearance(all, all.legs[side]!));
    }
  });
});
