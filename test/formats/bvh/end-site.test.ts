import { describe, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { endOffset } from '../../../src/formats/bvh/write-bvh.ts';
import { expectNear } from '../../near.ts';
import { EXACT } from '../../tolerances.ts';

describe('endOffset', () => {
  it('continues in the direction of the bone, at 70 % of its length', () => {
    expectNear(endOffset([10, 0, 0], -1, 100), [7, 0, 0], EXACT);
    expectNear(endOffset([0, -3, 4], BONE.leftHand, 100), [0, -2.1, 2.8], EXACT);
  });

  it('has a length of 1 to 12 % of the size of the skeleton', () => {
    expectNear(endOffset([0, 0, 90], -1, 100), [0, 0, 12], EXACT);
    expectNear(endOffset([0.001, 0, 0], -1, 100), [1, 0, 0], EXACT);
  });

  it('points up from the head and to the front from toes, for any direction of the bone', () => {
    expectNear(endOffset([0, 8, 6], BONE.head, 100), [0, 7, 0], EXACT);
    expectNear(endOffset([0, -6, 8], BONE.rightToes, 100), [0, 0, 7], EXACT);
  });

  it('points up from a joint at the position of its parent, also in a skeleton of size 0', () => {
    expectNear(endOffset([0, 0, 0], -1, 100), [0, 1, 0], EXACT);
    expectNear(endOffset([0, 0, 0], -1, 0), [0, 1, 0], EXACT);
  });
});
