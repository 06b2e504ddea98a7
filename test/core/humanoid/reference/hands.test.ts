import { describe, expect, test } from 'vitest';
import { about, direction, estimate, finding, leftFingers, turnOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { IDENTITY, product } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

describe('hands', () => {
  test('are turned palm down by their knuckles', () => {
    const found = estimate(tBody({ leftHand: { turn: product(about.x(1), about.z(0.3)) } }, ...leftFingers()));
    expectNear(direction(found, 'leftHand', 'leftMiddleProximal'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLittleProximal', 'leftIndexProximal'), [0, 0, 1], EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 1, reason: 'knuckles of all fingers' });
  });

  test('roll with the forearm: a wrist does not', () => {
    const rolled = estimate(tBody({ leftLowerArm: { turn: about.x(1.4) } }, ...leftFingers()));
    expectSameRotation(turnOf(rolled, 'leftLowerArm'), about.x(-1.4), EXACT);
    expectSameRotation(turnOf(rolled, 'leftHand'), about.x(-1.4), EXACT);
    expectSameRotation(turnOf(rolled, 'leftUpperArm'), IDENTITY, EXACT);
  });

  test('without a middle finger follow their other fingers, whose curl does not count', () => {
    const three = leftFingers(about.z(-0.5)).filter(({ name }) => !/Middle|Ring/.test(name));
    const found = estimate(tBody({ leftHand: { turn: about.y(0.4) } }, ...three));
    expectSameRotation(turnOf(found, 'leftHand'), about.y(-0.4), EXACT);
  });

  test('with one finger point at its knuckle', () => {
    const one = leftFingers().filter(({ name }) => name.includes('Index'));
    const found = estimate(tBody({}, ...one));
    expectNear(direction(found, 'leftHand', 'leftIndexProximal'), [1, 0, 0], EXACT);
  });

  test('without fingers go on as the forearm does', () => {
    const found = estimate(tBody({ leftHand: { turn: about.z(0.5) } }));
    expectSameRotation(turnOf(found, 'leftHand'), IDENTITY, EXACT);
  });
});
