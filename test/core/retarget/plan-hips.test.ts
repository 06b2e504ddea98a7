import { describe, expect, test } from 'vitest';
import { scaledRotation } from '../../../src/core/retarget/plan-hips.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetPose } from '../../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../../src/core/skeleton/pose.ts';
import { tinyHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const tall = tinyHumanoid({ name: 'hips', at: [0, 1, 0] });

describe('scaledRotation', () => {
  test('returns the matrix of the rotation times the factor', () => {
    const aboutZ = Float64Array.of(0, 0, Math.SQRT1_2, Math.SQRT1_2);
    expectNear(scaledRotation(aboutZ, 2), [0, 2, 0, -2, 0, 0, 0, 0, 2], EXACT);
  });
});

describe('planHips', () => {
  test('inverts the rest transforms of the nodes above the target hips', () => {
    const below = tinyHumanoid(
      { name: 'armature', at: [0, 0.2, 0], turn: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [0.1, 0.1, 0.1] },
      { name: 'hips', parent: 'armature', at: [3, 0, 0] },
    );
    expect(below.hipsHeight).toBeCloseTo(0.5, 12);
    const pose = restPose(tall.skeleton);
    pose.set([1, 1, 0], 0);
    const result = retargetPose(planRetarget(tall, below), pose, restPose(below.skeleton));
    // Half a meter to the left is −y of the rotated armature, which has ten units per meter.
    expectNear(result.subarray(10, 13), [3, -5, 0], EXACT);
  });

  test('reports HIPS_NOT_MOVABLE and keeps the hips below a node of scale 0', () => {
    const flat = tinyHumanoid(
      { name: 'armature', scale: [1, 0, 1] },
      { name: 'hips', parent: 'armature', at: [0, 1, 0] },
    );
    const plan = planRetarget(tall, flat);
    expect(plan.hips).toBeNull();
    expect(plan.issues.map(({ code }) => code)).toEqual(['HIPS_NOT_MOVABLE']);
    const pose = restPose(tall.skeleton);
    pose.set([1, 2, 3], 0);
    expect(retargetPose(plan, pose, restPose(flat.skeleton)).subarray(10, 13)).toEqual(Float64Array.of(0, 1, 0));
  });

  test('returns the target height in units of the local hips translation', () => {
    const scaled = tinyHumanoid(
      { name: 'armature', scale: [0.01, 0.01, 0.01] },
      { name: 'hips', parent: 'armature', at: [0, 90, 0] },
    );
    expect(planRetarget(tall, scaled).hips?.targetHeight).toBeCloseTo(90, 9);
  });
});
