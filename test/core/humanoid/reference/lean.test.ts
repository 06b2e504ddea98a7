import { describe, expect, test } from 'vitest';
import { trunkLean } from '../../../../src/core/humanoid/reference/lean.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { turnedBody } from '../../../../src/core/humanoid/reference/turned-body.ts';
import { about, estimate, finding, turnOf } from '../../../make/estimate.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../near.ts';
import { angle, IDENTITY, product, type Quaternion } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const DEGREE = Math.PI / 180;
const LEAN = 0.2;
const LEANING = { turn: about.x(LEAN) };

/** Degrees by which the trunk of a body leans that has a neck at `neck`, seen from the spine, and stands as `turn`. */
function leanOf(turn: Quaternion, ...neck: readonly TinyNode[]): number {
  const { skeleton, map } = tBody({ hips: { turn } }, ...neck);
  const rest = { skeleton, nodes: map.nodes, pose: nodePose(skeleton), attitude: Float64Array.from(IDENTITY) };
  return trunkLean(turnedBody({ ...rest, plantedSlope: () => null, vertices: () => null })) / DEGREE;
}

function neckAt(z: number): TinyNode {
  return { name: 'neck', parent: 'spine', at: [0, 0.4, z] };
}

/** The estimate of a body that leans to the front by 0.2 and holds its left arm so. */
function posed(leftUpperArm: Quaternion): ReturnType<typeof estimate> {
  return estimate(tBody({ hips: LEANING, leftUpperArm: { turn: leftUpperArm } }));
}

describe('the lean of a trunk', () => {
  test('is seen from shoulders a little behind the hips', () => {
    expect(leanOf(about.x(-3.5 * DEGREE))).toBeCloseTo(0, 9);
    expect(leanOf(about.x(6.5 * DEGREE))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(-13.5 * DEGREE))).toBeCloseTo(-10, 9);
  });

  test('is the smaller one of shoulders and neck, and none where they disagree', () => {
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(0))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(0.6 * Math.tan(2 * DEGREE)))).toBeCloseTo(10, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(-0.6 * Math.tan(2 * DEGREE)))).toBeCloseTo(8, 9);
    expect(leanOf(about.x(6.5 * DEGREE), neckAt(-0.6))).toBe(0);
  });
});

describe('an arm', () => {
  test('that hangs in the plane of a leaning trunk has leant with it', () => {
    const found = posed(about.z(-0.8));
    expectSameRotation(turnOf(found, 'leftUpperArm'), product(about.z(0.8), about.x(-LEAN)), EXACT);
    expectSameRotation(turnOf(found, 'spine'), IDENTITY, EXACT);
    expect(finding(found, 'leftArm')?.reason).toContain('once its lean with the trunk (11°) is taken back');
    const raised = posed(about.z(0.8));
    expectSameRotation(turnOf(raised, 'leftUpperArm'), product(about.z(-0.8), about.x(-LEAN)), EXACT);
  });

  test('has leant by no more than the trunk', () => {
    const back = estimate(tBody({ hips: { turn: about.x(-LEAN) }, leftUpperArm: { turn: about.z(-0.8) } }));
    // The trunk alone says 3.5° less: by so much the arm is still out of the upright.
    const left = -3.5 * DEGREE;
    const start = product(about.x(left), about.z(0.8), about.x(-left), about.x(LEAN + left));
    expectSameRotation(turnOf(back, 'leftUpperArm'), start, EXACT);
  });

  test('that hangs straight down below a leaning trunk has not: that trunk is the character', () => {
    const found = posed(product(about.x(-LEAN), about.z(-0.8)));
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(0.8), EXACT);
    expect(finding(found, 'leftArm')?.reason).toMatch(/shortest way$/);
  });

  test('that leans alone, or is held to the back, has not', () => {
    const alone = estimate(tBody({ leftUpperArm: { turn: product(about.x(-LEAN), about.z(-0.8)) } }));
    const far = posed(product(about.x(0.2), about.z(-0.8)));
    for (const [found, plane] of [
      [alone, -LEAN],
      [far, 2 * LEAN],
    ] as const) {
      const shortest = product(about.x(plane), about.z(0.8), about.x(-plane));
      expectSameRotation(turnOf(found, 'leftUpperArm'), shortest, EXACT);
    }
  });

  test('along X stays as it is whatever the trunk does, one that hardly hangs nearly so', () => {
    expectSameRotation(turnOf(posed(about.x(0.1)), 'leftUpperArm'), IDENTITY, EXACT);
    let last = 0;
    for (let down = 0; down < 0.3; down += 4e-3) {
      const shortest = product(about.x(LEAN), about.z(down), about.x(-LEAN));
      const roll = angle(turnOf(posed(about.z(-down)), 'leftUpperArm'), shortest);
      expect(Math.abs(roll - last)).toBeLessThan(0.02);
      last = roll;
    }
    expect(last).toBeCloseTo(LEAN, 9);
  });
});
