import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { bodyTrees, place, touchedBySkin } from '../../../../src/core/humanoid/mapping/body-tree.ts';
import { placedRig } from '../../../make/placed-rig.ts';
import { bareSkeleton, rigOf } from '../../../make/rig-text.ts';

const rig = placedRig('a 0 0 0\n b 0 1 0 > c 0 3 0\n d 0 -4 0');

describe('a body as a tree', () => {
  it('has lengths, reaches and sizes', () => {
    const [body] = bodyTrees(rig, null);
    expect([...body.lengths]).toEqual([0, 1, 2, 4]);
    expect([...body.reach]).toEqual([4, 2, 0, 0]);
    expect([...body.sizes]).toEqual([4, 2, 1, 1]);
    expect(body.joints).toEqual([[1, 3], [2], [], []]);
    expect(place(body, 2)).toEqual([0, 3, 0]);
  });

  it('takes joints and what is above them for bones, other leaves for ends', () => {
    const skeleton = rigOf('armature !\n hips > hand\n  tip !\n mesh !');
    expect([...touchedBySkin(skeleton)]).toEqual([1, 1, 1, 0, 0]);
    const [body] = bodyTrees(skeleton, null);
    expect([body.joints[0], body.ends[0], body.ends[2]]).toEqual([[1], [4], [3]]);
    expect([...touchedBySkin(bareSkeleton(['a', 'b'], [-1, 0], [0, 0]))]).toEqual([1, 1]);
  });

  it('is looked at in the poses of its motion too, which shows what it turns', () => {
    const half = Math.SQRT1_2;
    const clip: Clip = {
      name: 'turn',
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
    const trees = bodyTrees(rig, clip);
    expect(trees.map(({ positions, looks }) => looks.find((look) => look.positions === positions)?.from)).toEqual([
      'node',
      'frame:0',
      'frame:1',
    ]);
    expect([...(trees[0].turned ?? [])]).toEqual([1, 0, 0, 0]);
    expect(place(trees[1], 2)[0]).toBeCloseTo(-3);
    expect(bodyTrees(rig, null)[0].turned).toBeNull();
  });
});
