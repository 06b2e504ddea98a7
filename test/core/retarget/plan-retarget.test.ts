import { describe, expect, test } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { orderDetachedJoints, planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import type { DetachedJointPlan } from '../../../src/core/retarget/plan-types.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { without } from '../../support/make/change-rig.ts';
import { randomPose } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';

const whole = tinyHumanoid(
  { name: 'hips', at: [0, 1, 0] },
  { name: 'spine', parent: 'hips', at: [0, 0.2, 0] },
  { name: 'head', parent: 'spine', at: [0, 0.4, 0] },
);

describe('planRetarget', () => {
  test('throws for a humanoid without hips and names its role', () => {
    const withoutHips = without(whole, [BONE.hips]);
    expect(() => planRetarget(withoutHips, whole)).toThrow(
      new RangeError(
        'planRetarget: the source has no hips. Expected a humanoid with the bone hips: map one of its joints to hips.',
      ),
    );
    expect(() => planRetarget(whole, withoutHips)).toThrow(/the target has no hips/);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('throws for hipsScale %s', (hipsScale) => {
    expect(() => planRetarget(whole, whole, { hipsScale })).toThrow(RangeError);
  });

  test('returns plain data: a structured clone gives the same poses', () => {
    const random = makeRandom(7);
    const source = randomRig(random, { detached: true }).humanoid;
    const target = randomRig(random, { detached: true }).humanoid;
    const plan = planRetarget(source, target, { translation: true, scale: true });
    const pose = randomPose(random, source, { others: true, stretch: true });
    const clone = structuredClone(plan);
    expect(clone).toEqual(plan);
    expect(retargetPose(clone, pose, restPose(target.skeleton))).toEqual(
      retargetPose(plan, pose, restPose(target.skeleton)),
    );
  });

  test('lists the bones of the target, parents first, with the bone above each', () => {
    const { bones, targetNodes, above } = planRetarget(whole, whole);
    expect(Array.from(bones, (bone) => BONES[bone])).toEqual(['hips', 'spine', 'head']);
    expect(targetNodes).toEqual(Int32Array.of(0, 1, 2));
    expect(above).toEqual(Int32Array.of(-1, 0, 1));
  });

  test('reports the bones that are missing in the target or in the source', () => {
    const noSpine = without(whole, [BONE.spine]);
    expect(planRetarget(whole, whole).issues).toEqual([]);
    expect(planRetarget(whole, noSpine).issues).toEqual([
      expect.objectContaining({
        code: 'BONES_MISSING_IN_TARGET',
        severity: 'info',
        message:
          'The motion has bones that the character lacks. The rotation of spine was added to the bones below. ' +
          'If the character has joints for these bones, map them explicitly.',
      }),
    ]);
    expect(planRetarget(noSpine, whole).issues).toEqual([
      expect.objectContaining({
        code: 'BONES_MISSING_IN_SOURCE',
        severity: 'info',
        message: expect.stringContaining('The character has bones that the motion lacks: spine.'),
      }),
    ]);
  });

  test('uses the nearest ancestor bone as the driver of a bone that the source lacks', () => {
    const { bones, drivers } = planRetarget(without(whole, [BONE.spine]), whole);
    expect(drivers[bones.indexOf(BONE.spine)]).toBe(BONE.hips);
    expect(drivers[bones.indexOf(BONE.head)]).toBe(BONE.head);
  });

  test('retargets neither rotations nor the hips translation if both are off', () => {
    const pose = restPose(whole.skeleton);
    pose.set([3, 3, 3, 0, 1, 0, 0], 0);
    pose.set([0, 1, 0, 0], 13);
    const rest = restPose(whole.skeleton);
    const still = retargetPose(
      planRetarget(whole, whole, { rotation: false, hipsTranslation: false }),
      pose,
      restPose(whole.skeleton),
    );
    expect(still).toEqual(rest);
    const rotated = retargetPose(
      planRetarget(whole, whole, { hipsTranslation: false }),
      pose,
      restPose(whole.skeleton),
    );
    expect(Array.from(rotated.subarray(0, 7))).toEqual([0, 1, 0, 0, 1, 0, 0]);
    const moved = retargetPose(planRetarget(whole, whole, { rotation: false }), pose, restPose(whole.skeleton));
    expect(Array.from(moved.subarray(0, 7))).toEqual([3, 3, 3, 0, 0, 0, 1]);
  });
});

function plan(targetNode: number, boneChain: number[], parentChain: number[] = []): DetachedJointPlan {
  return {
    targetNode,
    boneChain: Int32Array.from(boneChain),
    parentChain: Int32Array.from(parentChain),
    offset: new Float64Array(3),
    segments: [],
    rotation: null,
    size: 1,
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
