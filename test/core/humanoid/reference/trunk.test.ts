import { describe, expect, test } from 'vitest';
import { about, estimate, finding, turnOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../near.ts';
import { EXACT } from '../../../tolerances.ts';

const STEP = { leftUpperLeg: { turn: about.x(-0.7) }, rightUpperLeg: { turn: about.x(0.5) } };

describe('the trunk', () => {
  test('follows the hips: its curve is the character', () => {
    const attitude = about.y(0.7);
    const found = estimate(tBody({ spine: { turn: about.x(0.4) } }), {}, attitude);
    for (const bone of ['hips', 'spine', 'head'] as const) expectSameRotation(turnOf(found, bone), attitude, EXACT);
    expect(finding(found, 'trunk')).toEqual({ part: 'trunk', confidence: 1, reason: 'told; its curve is kept' });
  });

  test('that leans while the body stands keeps its lean', () => {
    const found = estimate(tBody({ hips: { turn: about.x(0.2) } }));
    expectSameRotation(turnOf(found, 'hips'), [0, 0, 0, 1], EXACT);
  });

  test('that leans in a pose of movement is set upright where that comes out of a motion', () => {
    const leaning = tBody({ hips: { turn: about.x(0.3) }, ...STEP });
    expectSameRotation(turnOf(estimate(leaning), 'hips'), [0, 0, 0, 1], EXACT);
    const found = estimate(leaning, { animated: true });
    expectSameRotation(turnOf(found, 'hips'), about.x(-0.3), EXACT);
    expectSameRotation(turnOf(found, 'head'), about.x(-0.3), EXACT);
    expect(finding(found, 'trunk')).toMatchObject({ confidence: 0.5, reason: expect.stringContaining('leant by 17°') });
    const hardly = estimate(tBody({ hips: { turn: about.x(0.1) }, ...STEP }), { animated: true });
    expectSameRotation(turnOf(hardly, 'hips'), [0, 0, 0, 1], EXACT);
  });
});
