import { describe, expect, test } from 'vitest';
import { about, correctionOf, estimate, finding } from '../../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../../support/near.ts';
import { EXACT } from '../../../../support/tolerances.ts';

const STEP = { leftUpperLeg: { turn: about.x(-0.7) }, rightUpperLeg: { turn: about.x(0.5) } };

describe('alignTrunk', () => {
  test('rotates the trunk as a whole and keeps its curvature', () => {
    const rotation = about.y(0.7);
    const found = estimate(tPoseHumanoid({ spine: { turn: about.x(0.4) } }), {}, rotation);
    for (const bone of ['hips', 'spine', 'head'] as const)
      expectSameRotation(correctionOf(found, bone), rotation, EXACT);
    expect(finding(found, 'trunk')).toEqual({ part: 'trunk', confidence: 1, reason: 'test frame; curvature kept' });
  });

  test('keeps the lean of a standing character', () => {
    const found = estimate(tPoseHumanoid({ hips: { turn: about.x(0.2) } }));
    expectSameRotation(correctionOf(found, 'hips'), [0, 0, 0, 1], EXACT);
  });

  test('sets a leaning trunk upright in a pose from a motion', () => {
    const leaning = tPoseHumanoid({ hips: { turn: about.x(0.3) }, ...STEP });
    expectSameRotation(correctionOf(estimate(leaning), 'hips'), [0, 0, 0, 1], EXACT);
    const found = estimate(leaning, { animated: true });
    expectSameRotation(correctionOf(found, 'hips'), about.x(-0.3), EXACT);
    expectSameRotation(correctionOf(found, 'head'), about.x(-0.3), EXACT);
    expect(finding(found, 'trunk')).toMatchObject({
      confidence: 0.5,
      reason: expect.stringContaining('from a lean of 17°'),
    });
    const hardly = estimate(tPoseHumanoid({ hips: { turn: about.x(0.1) }, ...STEP }), { animated: true });
    expectSameRotation(correctionOf(hardly, 'hips'), [0, 0, 0, 1], EXACT);
  });
});
