import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { without } from '../../../make/change-rig.ts';
import { about, direction, estimate, finding, turnOf } from '../../../make/estimate.ts';
import { tBody, tinyHumanoid } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { IDENTITY } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

describe('arms', () => {
  test('are raised by the shortest arc, each segment on top of the one before', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.z(-0.8) }, leftLowerArm: { turn: about.y(-0.1) } }));
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(0.8), EXACT);
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
    expectSameRotation(turnOf(found, 'rightUpperArm'), IDENTITY, EXACT);
    expect(finding(found, 'leftArm')).toMatchObject({ confidence: 1, reason: expect.stringContaining('moved by 46°') });
    expect(finding(found, 'rightArm')).toMatchObject({ confidence: 1, reason: expect.stringContaining('in place') });
  });

  test('that point across the body are lowered first, then raised sideways', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.y(Math.PI) } }));
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(Math.PI), EXACT);
    expect(finding(found, 'leftArm')?.confidence).toBe(0.4);
  });

  test('of which one is up and one hangs come to the same height', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.z(1.5) }, rightUpperArm: { turn: about.z(1.3) } }));
    expectNear(direction(found, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'rightUpperArm', 'rightHand'), [-1, 0, 0], EXACT);
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(-1.5), EXACT);
  });

  test('are rolled by a bent elbow, so that its hinge bends the forearm to the front', () => {
    // Rolled about its own axis, the arm shows its forearm going up instead of forward.
    const found = estimate(
      tBody({ leftUpperArm: { turn: about.x(-Math.PI / 2) }, leftLowerArm: { turn: about.y(-1.2) } }),
    );
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.x(Math.PI / 2), EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
    expect(finding(found, 'leftArm')?.reason).toContain('elbow bent by 69° shows the roll');
  });

  test('are rolled a little, not a lot, by an elbow that is hardly bent', () => {
    const rolled = (angle: number) =>
      estimate(tBody({ leftUpperArm: { turn: about.x(angle) }, leftLowerArm: { turn: about.y(-0.4) } }));
    expectSameRotation(turnOf(rolled(-0.2), 'leftUpperArm'), about.x(0.2), EXACT);
    const sideways = rolled(-Math.PI / 2);
    expectSameRotation(turnOf(sideways, 'leftUpperArm'), IDENTITY, EXACT);
    expect(finding(sideways, 'leftArm')?.reason).toContain('bent to the side by 23°');
  });

  test('without a forearm, or with an elbow in the shoulder, point at the hand', () => {
    const lowered = { leftUpperArm: { turn: about.z(-0.8) } };
    const missing = estimate(without(tBody(lowered), [BONE.leftLowerArm]));
    expectNear(direction(missing, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
    expect(finding(missing, 'leftArm')?.confidence).toBe(0.5);
    const coincident = estimate(tBody({ ...lowered, leftLowerArm: { at: [1e-13, 1e-13, 0] } }));
    expectNear(direction(coincident, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
  });

  test('hang on a collar bone that may droop: it is the character’s', () => {
    const droop = about.z(-0.6);
    const found = estimate(
      tinyHumanoid(
        { name: 'hips', at: [0, 1, 0] },
        { name: 'leftShoulder', parent: 'hips', at: [0.05, 0.5, 0], turn: droop },
        { name: 'leftUpperArm', parent: 'leftShoulder', at: [0.15, 0, 0] },
        { name: 'leftLowerArm', parent: 'leftUpperArm', at: [0.3, 0, 0] },
        { name: 'leftHand', parent: 'leftLowerArm', at: [0.25, 0, 0] },
      ),
    );
    expectSameRotation(turnOf(found, 'leftShoulder'), IDENTITY, EXACT);
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.z(0.6), EXACT);
  });

  test('on a side that is mirrored by a negative scale lie along X as well', () => {
    const found = estimate(
      tBody({
        rightUpperArm: { turn: about.z(0.7), scale: [-1, 1, 1], at: [-0.2, 0.3, 0] },
        rightLowerArm: { at: [0.3, 0, 0] },
      }),
    );
    expectNear(direction(found, 'rightUpperArm', 'rightLowerArm'), [-1, 0, 0], EXACT);
    expectNear(direction(found, 'rightLowerArm', 'rightHand'), [-1, 0, 0], EXACT);
  });
});
