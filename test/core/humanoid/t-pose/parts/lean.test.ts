import { describe, expect, test } from 'vitest';
import { createEstimatorState } from '../../../../../src/core/humanoid/t-pose/estimator-state.ts';
import { restModelPose } from '../../../../../src/core/humanoid/t-pose/model-pose.ts';
import { measureTrunkLean } from '../../../../../src/core/humanoid/t-pose/parts/lean.ts';
import { about, correctionOf, estimate, finding } from '../../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../../support/near.ts';
import { angle, IDENTITY, product, type Quaternion } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

const DEGREE = Math.PI / 180;
const LEAN = 0.2;
const LEANING = { turn: about.x(LEAN) };

/** Lean of the trunk, degrees, of a humanoid whose hips are rotated by `rotation`, with a `neck` in the axes of the spine. */
function leanOf(rotation: Quaternion, ...neck: readonly TinyNode[]): number {
  const { skeleton, map } = tPoseHumanoid({ hips: { turn: rotation } }, ...neck);
  const rest = { skeleton, nodes: map.nodes, pose: restModelPose(skeleton), frame: Float64Array.from(IDENTITY) };
  return measureTrunkLean(createEstimatorState({ ...rest, plantedSlope: () => null, vertices: () => null })) / DEGREE;
}

function neckAt(z: number): TinyNode {
  return { name: 'neck', parent: 'spine', at: [0, 0.4, z] };
}

/** The estimate of a humanoid that leans to the front by 0.2 rad, with a rotation of its left arm. */
function posed(leftUpperArm: Quaternion): ReturnType<typeof estimate> {
  return estimate(tPoseHumanoid({ hips: LEANING, leftUpperArm: { turn: leftUpperArm } }));
}

describe('measureTrunkLean', () => {
  test('measures from shoulders 3.5° behind the hips', () => {
    expect(leanOf(about.x(-3.5 * DEGREE))).toBeCloseTo(0, 9);
    expect(leanOf(about.x(6.5 * DEGREE))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(-13.5 * DEGREE))).toBeCloseTo(-10, 9);
  });

  test('returns the smaller lean of shoulders and neck, 0 when they contradict', () => {
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(0))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(0.6 * Math.tan(2 * DEGREE)))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(-0.6 * Math.tan(2 * DEGREE)))).toBeCloseTo(8, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(-0.6))).toBe(0);
  });
});

describe('measureArmLean', () => {
  test('undoes the lean of an arm in the plane of a leaning trunk', () => {
    const found = posed(about.z(-0.8));
    expectSameRotation(correctionOf(found, 'leftUpperArm'), product(about.z(0.8), about.x(-LEAN)), EXACT);
    expectSameRotation(correctionOf(found, 'spine'), IDENTITY, EXACT);
    expect(finding(found, 'leftArm')?.reason).toContain('after undoing its lean with the trunk (11°)');
    const raised = posed(about.z(0.8));
    expectSameRotation(correctionOf(raised, 'leftUpperArm'), product(about.z(-0.8), about.x(-LEAN)), EXACT);
  });

  test('limits the lean of an arm to that of the trunk', () => {
    const back = estimate(tPoseHumanoid({ hips: { turn: about.x(-LEAN) }, leftUpperArm: { turn: about.z(-0.8) } }));
    // The lean of the trunk is 3.5° less: the arm stays off the vertical by that.
    const left = -3.5 * DEGREE;
    const start = product(about.x(left), about.z(0.8), about.x(-left), about.x(LEAN + left));
    expectSameRotation(correctionOf(back, 'leftUpperArm'), start, EXACT);
  });

  test('returns 0 for a vertical arm below a leaning trunk', () => {
    const found = posed(product(about.x(-LEAN), about.z(-0.8)));
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.z(0.8), EXACT);
    expect(finding(found, 'leftArm')?.reason).toMatch(/shortest arc$/);
  });

  test('returns 0 for an arm that leans alone or points to the back', () => {
    const alone = estimate(tPoseHumanoid({ leftUpperArm: { turn: product(about.x(-LEAN), about.z(-0.8)) } }));
    const far = posed(product(about.x(0.2), about.z(-0.8)));
    for (const [found, plane] of [
      [alone, -LEAN],
      [far, 2 * LEAN],
    ] as const) {
      const shortest = product(about.x(plane), about.z(0.8), about.x(-plane));
      expectSameRotation(correctionOf(found, 'leftUpperArm'), shortest, EXACT);
    }
  });

  test('returns 0 for an arm along X and grows smoothly as the arm goes down', () => {
    expectSameRotation(correctionOf(posed(about.x(0.1)), 'leftUpperArm'), IDENTITY, EXACT);
    let last = 0;
    for (let down = 0; down < 0.3; down += 4e-3) {
      const shortest = product(about.x(LEAN), about.z(down), about.x(-LEAN));
      const roll = angle(correctionOf(posed(about.z(-down)), 'leftUpperArm'), shortest);
      expect(Math.abs(roll - last)).toBeLessThan(0.02);
      last = roll;
    }
    expect(last).toBeCloseTo(LEAN, 9);
  });
});
