import { describe, expect, test } from 'vitest';
import { about, direction, estimate, finding, turnOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { EXACT } from '../../../tolerances.ts';

describe('legs', () => {
  test('are straightened downward', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.z(0.3) }, leftLowerLeg: { turn: about.x(0.4) } }));
    expectNear(direction(found, 'leftUpperLeg', 'leftLowerLeg'), [0, -1, 0], EXACT);
    expectNear(direction(found, 'leftLowerLeg', 'leftFoot'), [0, -1, 0], EXACT);
  });

  test('are rolled by a bent knee, so that it bends the shin back', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.y(0.6) }, leftLowerLeg: { turn: about.x(1) } }));
    expectSameRotation(turnOf(found, 'leftUpperLeg'), about.y(-0.6), EXACT);
  });

  test('are not rolled by a knee that is bent to the side', () => {
    const found = estimate(tBody({ leftLowerLeg: { turn: about.z(0.3) } }));
    expectSameRotation(turnOf(found, 'leftUpperLeg'), [0, 0, 0, 1], EXACT);
    expect(finding(found, 'leftLeg')?.reason).toContain('bent to the side by 17°');
  });

  test('of someone who sits come down by the front', () => {
    const sitting = { turn: about.x(-Math.PI / 2) };
    const shin = { turn: about.x(Math.PI / 2) };
    const found = estimate(
      tBody({ leftUpperLeg: sitting, rightUpperLeg: sitting, leftLowerLeg: shin, rightLowerLeg: shin }),
    );
    expect(found.stance).toBe('moving');
    for (const side of ['left', 'right'] as const) {
      expectSameRotation(turnOf(found, `${side}UpperLeg`), about.x(Math.PI / 2), EXACT);
      expectSameRotation(turnOf(found, `${side}LowerLeg`), [0, 0, 0, 1], EXACT);
      expectSameRotation(turnOf(found, `${side}Foot`), [0, 0, 0, 1], EXACT);
    }
  });

  test('above the head are lowered by way of the front', () => {
    const found = estimate(tBody({ leftUpperLeg: { turn: about.x(-Math.PI) } }));
    expectSameRotation(turnOf(found, 'leftUpperLeg'), about.x(Math.PI), EXACT);
  });

  test('with raised heels, as animals have that walk on their toes, stay bent', () => {
    const leg = (side: string) => ({
      [`${side}UpperLeg`]: { turn: about.x(-0.6) },
      [`${side}LowerLeg`]: { turn: about.x(1.3), at: [0, -0.4, 0] },
      [`${side}Foot`]: { turn: about.x(-0.6), at: [0, -0.35, 0] },
      [`${side}Toes`]: { at: [0, -0.25, 0.02] },
    });
    const found = estimate(tBody({ ...leg('left'), ...leg('right') }));
    expect(found.stance).toBe('digitigrade');
    expectSameRotation(turnOf(found, 'leftUpperLeg'), [0, 0, 0, 1], EXACT);
    expectSameRotation(turnOf(found, 'leftFoot'), [0, 0, 0, 1], EXACT);
    expect(finding(found, 'rightLeg')).toMatchObject({
      confidence: 0.6,
      reason: expect.stringContaining('raised heel'),
    });
    // One such leg alone is a step.
    expect(estimate(tBody(leg('left'))).stance).toBe('moving');
  });
});
