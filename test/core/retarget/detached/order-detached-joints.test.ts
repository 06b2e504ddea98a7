import { describe, expect, test } from 'vitest';
import { orderDetachedJoints } from '../../../../src/core/retarget/plan-retarget.ts';
import type { DetachedJointPlan } from '../../../../src/core/retarget/plan-types.ts';

function plan(targetNode: number, boneChain: number[], parentChain: number[] = []): DetachedJointPlan {
  return {
    targetNode,
    boneChain: Int32Array.from(boneChain),
    parentChain: Int32Array.from(parentChain),
    offset: new Float64Array(3),
    segments: [],
    rotation: null,
  };
}

function nodesOf(plans: readonly DetachedJointPlan[]): number[] {
  return plans.map(({ targetNode }) => targetNode);
}

describe('orderDetachedJoints', () => {
  test('keeps an order in which every joint depends only on joints before it', () => {
    expect(nodesOf(orderDetachedJoints([plan(4, [0, 1]), plan(2, [0, 4], [3])]).ordered)).toEqual([4, 2]);
  });

  test('puts a joint after the joints in the chains of its bone and of its parent', () => {
    expect(nodesOf(orderDetachedJoints([plan(2, [0, 4]), plan(5, [0], [1, 2]), plan(4, [0])]).ordered)).toEqual([
      4, 2, 5,
    ]);
  });

  test('lists joints that depend on each other in a circle, and joints that depend on these, separately', () => {
    const plans = [plan(1, [2]), plan(2, [0], [1]), plan(3, [2]), plan(4, [4]), plan(5, [0])];
    expect(nodesOf(orderDetachedJoints(plans).ordered)).toEqual([5]);
    expect(nodesOf(orderDetachedJoints(plans).circular)).toEqual([1, 2, 3, 4]);
  });
});
