import { describe, expect, test } from 'vitest';
import { about, correctionOf, direction, estimate, finding } from '../../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { EXACT } from '../../../../support/tolerances.ts';

describe('alignLeg', () => {
  test('straightens a leg downward', () => {
    const found = estimate(
      tPoseHumanoid({ leftUpperLeg: { turn: about.z(0.3) }, leftLowerLeg: { turn: about.x(0.4) } }),
    );
    expectNear(direction(found, 'leftUpperLeg', 'leftLowerLeg'), [0, -1, 0], EXACT);
    expectNear(direction(found, 'leftLowerLeg', 'leftFoot'), [0, -1, 0], EXACT);
  });

  test('rolls a leg so that its bent knee moves the shin back', () => {
    const found = estimate(tPoseHumanoid({ leftUpperLeg: { turn: about.y(0.6) }, leftLowerLeg: { turn: about.x(1) } }));
    expectSameRotation(correctionOf(found, 'leftUpperLeg'), about.y(-0.6), EXACT);
  });

  test('ignores a knee that is bent to the side', () => {
    const found = estimate(tPoseHumanoid({ leftLowerLeg: { turn: about.z(0.3) } }));
    expectSameRotation(correctionOf(found, 'leftUpperLeg'), [0, 0, 0, 1], EXACT);
    expect(finding(found, 'leftLeg')?.reason).toContain('bent to the side by 17°');
  });

  test('lowers the legs of a sitting character via the front', () => {
    const sitting = { turn: about.x(-Math.PI / 2) };
    const shin = { turn: about.x(Math.PI / 2) };
    const found = estimate(
      tPoseHumanoid({ leftUpperLeg: sitting, rightUpperLeg: sitting, leftLowerLeg: shin, rightLowerLeg: shin }),
    );
    expect(found.stance).toBe('moving');
    for (const side of ['left', 'right'] as const) {
      expectSameRotation(correctionOf(found, `${side}UpperLeg`), about.x(Math.PI / 2), EXACT);
      expectSameRotation(correctionOf(found, `${side}LowerLeg`), [0, 0, 0, 1], EXACT);
      expectSameRotation(correctionOf(found, `${side}Foot`), [0, 0, 0, 1], EXACT);
    }
  });

  test('lowers a leg above the head via the front', () => {
    const found = estimate(tPoseHumanoid({ leftUpperLeg: { turn: about.x(-Math.PI) } }));
    expectSameRotation(correctionOf(found, 'leftUpperLeg'), about.x(Math.PI), EXACT);
  });

  test('keeps digitigrade legs bent', () => {
    const leg = (side: string) => ({
      [`${side}UpperLeg`]: { turn: about.x(-0.6) },
      [`${side}LowerLeg`]: { turn: about.x(1.3), at: [0, -0.4, 0] },
      [`${side}Foot`]: { turn: about.x(-0.6), at: [0, -0.35, 0] },
      [`${side}Toes`]: { at: [0, -0.25, 0.02] },
    });
    const found = estimate(tPoseHumanoid({ ...leg('left'), ...leg('right') }));
    expect(found.stance).toBe('digitigrade');
    expectSameRotation(correctionOf(found, 'leftUpperLeg'), [0, 0, 0, 1], EXACT);
    expectSameRotation(correctionOf(found, 'leftFoot'), [0, 0, 0, 1], EXACT);
    expect(finding(found, 'rightLeg')).toMatchObject({
      confidence: 0.6,
      reason: expect.stringContaining('raised heel'),
    });
    // One such leg alone is a step.
    expect(estimate(tPoseHumanoid(leg('left'))).stance).toBe('moving');
  });
});
