import { describe, expect, test } from 'vitest';
import { about, correctionOf, direction, estimate, finding, leftFingers } from '../../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY, product } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

describe('alignHand', () => {
  test('rotates the palm down by the knuckles', () => {
    const found = estimate(tPoseHumanoid({ leftHand: { turn: product(about.x(1), about.z(0.3)) } }, ...leftFingers()));
    expectNear(direction(found, 'leftHand', 'leftMiddleProximal'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLittleProximal', 'leftIndexProximal'), [0, 0, 1], EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 1, reason: 'knuckles of all fingers' });
  });

  test('rolls the forearm together with the hand', () => {
    const rolled = estimate(tPoseHumanoid({ leftLowerArm: { turn: about.x(1.4) } }, ...leftFingers()));
    expectSameRotation(correctionOf(rolled, 'leftLowerArm'), about.x(-1.4), EXACT);
    expectSameRotation(correctionOf(rolled, 'leftHand'), about.x(-1.4), EXACT);
    expectSameRotation(correctionOf(rolled, 'leftUpperArm'), IDENTITY, EXACT);
  });

  test('uses the other fingers without a middle finger, independent of their curl', () => {
    const three = leftFingers(about.z(-0.5)).filter(({ name }) => !/Middle|Ring/.test(name));
    const found = estimate(tPoseHumanoid({ leftHand: { turn: about.y(0.4) } }, ...three));
    expectSameRotation(correctionOf(found, 'leftHand'), about.y(-0.4), EXACT);
  });

  test('points at the knuckle of a single finger', () => {
    const one = leftFingers().filter(({ name }) => name.includes('Index'));
    const found = estimate(tPoseHumanoid({}, ...one));
    expectNear(direction(found, 'leftHand', 'leftIndexProximal'), [1, 0, 0], EXACT);
  });

  test('follows the forearm without fingers', () => {
    const found = estimate(tPoseHumanoid({ leftHand: { turn: about.z(0.5) } }));
    expectSameRotation(correctionOf(found, 'leftHand'), IDENTITY, EXACT);
  });
});
