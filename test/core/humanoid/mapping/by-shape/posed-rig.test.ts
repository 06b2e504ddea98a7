import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../../../src/core/animation/clip.ts';
import { createPosedRigs, positionOf } from '../../../../../src/core/humanoid/mapping/by-shape/posed-rig.ts';
import { jointsAndAncestors } from '../../../../../src/core/humanoid/mapping/node-tree.ts';
import { POSE_STRIDE } from '../../../../../src/core/skeleton/skeleton.ts';
import { positionedRig } from '../../../../support/make/positioned-rig.ts';
import { bareSkeleton, rigOf } from '../../../../support/make/rig-text.ts';

const rig = positionedRig('a 0 0 0\n b 0 1 0 > c 0 3 0\n d 0 -4 0');

describe('createPosedRigs', () => {
  it('computes lengths, reaches and subtree sizes', () => {
    const [posed] = createPosedRigs(rig, null);
    expect([...posed.lengths]).toEqual([0, 1, 2, 4]);
    expect([...posed.reach]).toEqual([4, 2, 0, 0]);
    expect([...posed.sizes]).toEqual([4, 2, 1, 1]);
    expect(posed.joints).toEqual([[1, 3], [2], [], []]);
    expect(positionOf(posed, 2)).toEqual([0, 3, 0]);
  });

  it('lists joints with their ancestors as bones, and other leaves as ends', () => {
    const skeleton = rigOf('armature !\n hips > hand\n  tip !\n mesh !');
    expect([...jointsAndAncestors(skeleton)]).toEqual([1, 1, 1, 0, 0]);
    // The armature is on the ground.
    const rest = skeleton.rest.map((value, k) => (k === POSE_STRIDE + 1 ? 1 : value));
    const [posed] = createPosedRigs({ ...skeleton, rest }, null);
    expect([posed.joints[0], posed.ends[0], posed.ends[2]]).toEqual([[1], [4], [3]]);
    expect([...jointsAndAncestors(bareSkeleton(['a', 'b'], [-1, 0], [0, 0]))]).toEqual([1, 1]);
  });

  it('adds poses of the motion and marks the nodes that it rotates', () => {
    const half = Math.SQRT1_2;
    const clip: Clip = {
      name: 'rotation',
      duration: 1,
      tracks: [
        {
          target: 0,
          path: 'rotation',
          interpolation: 'LINEAR',
          times: [0, 1],
          values: [0, 0, half, half, 0, 0, 0, 1],
        } as never,
        {
          target: 1,
          path: 'rotation',
          interpolation: 'LINEAR',
          times: [0, 1],
          values: [0, 0, 0, 1, 0, 0, 0, 1],
        } as never,
      ],
    };
    const trees = createPosedRigs(rig, clip);
    expect(trees.map(({ positions, poses }) => poses.find((look) => look.positions === positions)?.from)).toEqual([
      'node',
      'frame:0',
      'frame:1',
    ]);
    expect([...(trees[0].rotated ?? [])]).toEqual([1, 0, 0, 0]);
    expect(positionOf(trees[1], 2)[0]).toBeCloseTo(-3);
    expect(createPosedRigs(rig, null)[0].rotated).toBeNull();
  });
});
