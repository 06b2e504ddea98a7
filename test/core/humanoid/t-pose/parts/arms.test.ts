import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../../src/core/humanoid/bones.ts';
import { without } from '../../../../support/make/change-rig.ts';
import { about, correctionOf, direction, estimate, finding } from '../../../../support/make/estimate.ts';
import { tinyHumanoid, tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

describe('alignArm', () => {
  test('raises an arm by the shortest arc, each segment after the previous one', () => {
    const found = estimate(
      tPoseHumanoid({ leftUpperArm: { turn: about.z(-0.8) }, leftLowerArm: { turn: about.y(-0.1) } }),
    );
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.z(0.8), EXACT);
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
    expectSameRotation(correctionOf(found, 'rightUpperArm'), IDENTITY, EXACT);
    expect(finding(found, 'leftArm')).toMatchObject({ confidence: 1, reason: expect.stringContaining('moved by 46°') });
    expect(finding(found, 'rightArm')).toMatchObject({ confidence: 1, reason: expect.stringContaining('in place') });
  });

  test('lowers an arm across the chest before it raises it sideways', () => {
    const found = estimate(tPoseHumanoid({ leftUpperArm: { turn: about.y(Math.PI) } }));
    expectNear(direction(found, 'leftUpperArm', 'leftLowerArm'), [1, 0, 0], EXACT);
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.z(Math.PI), EXACT);
    expect(finding(found, 'leftArm')?.confidence).toBe(0.4);
  });

  test('brings differently raised arms to the same height', () => {
    const found = estimate(
      tPoseHumanoid({ leftUpperArm: { turn: about.z(1.5) }, rightUpperArm: { turn: about.z(1.3) } }),
    );
    expectNear(direction(found, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'rightUpperArm', 'rightHand'), [-1, 0, 0], EXACT);
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.z(-1.5), EXACT);
  });

  test('rolls an arm so that its bent elbow moves the forearm to the front', () => {
    // The arm is rolled about its own axis: its forearm points up instead of forward.
    const found = estimate(
      tPoseHumanoid({ leftUpperArm: { turn: about.x(-Math.PI / 2) }, leftLowerArm: { turn: about.y(-1.2) } }),
    );
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.x(Math.PI / 2), EXACT);
    expectNear(direction(found, 'leftLowerArm', 'leftHand'), [1, 0, 0], EXACT);
    expect(finding(found, 'leftArm')?.reason).toContain('elbow bent by 69° shows the roll');
  });

  test('accepts a small roll from a slightly bent elbow, not a large one', () => {
    const rolled = (angle: number) =>
      estimate(tPoseHumanoid({ leftUpperArm: { turn: about.x(angle) }, leftLowerArm: { turn: about.y(-0.4) } }));
    expectSameRotation(correctionOf(rolled(-0.2), 'leftUpperArm'), about.x(0.2), EXACT);
    const sideways = rolled(-Math.PI / 2);
    expectSameRotation(correctionOf(sideways, 'leftUpperArm'), IDENTITY, EXACT);
    expect(finding(sideways, 'leftArm')?.reason).toContain('bent to the side by 23°');
  });

  test('points at the hand without a forearm or with an elbow in the shoulder', () => {
    const lowered = { leftUpperArm: { turn: about.z(-0.8) } };
    const missing = estimate(without(tPoseHumanoid(lowered), [BONE.leftLowerArm]));
    expectNear(direction(missing, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
    expect(finding(missing, 'leftArm')?.confidence).toBe(0.5);
    const coincident = estimate(tPoseHumanoid({ ...lowered, leftLowerArm: { at: [1e-13, 1e-13, 0] } }));
    expectNear(direction(coincident, 'leftUpperArm', 'leftHand'), [1, 0, 0], EXACT);
  });

  test('keeps a drooping collar bone', () => {
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
    expectSameRotation(correctionOf(found, 'leftShoulder'), IDENTITY, EXACT);
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.z(0.6), EXACT);
  });

  test('aligns an arm that is mirrored by a negative scale', () => {
    const found = estimate(
      tPoseHumanoid({
        rightUpperArm: { turn: about.z(0.7), scale: [-1, 1, 1], at: [-0.2, 0.3, 0] },
        rightLowerArm: { at: [0.3, 0, 0] },
      }),
    );
    expectNear(direction(found, 'rightUpperArm', 'rightLowerArm'), [-1, 0, 0], EXACT);
    expectNear(direction(found, 'rightLowerArm', 'rightHand'), [-1, 0, 0], EXACT);
  });
});
