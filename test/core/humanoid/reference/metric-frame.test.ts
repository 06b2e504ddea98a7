import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { type MetricFrame, metricFrame } from '../../../../src/core/humanoid/reference/metric-frame.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { without } from '../../../make/change-rig.ts';
import { tBody, tinyHumanoid } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { aboutAxis, IDENTITY, inverse, type Quaternion, turned } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

function frameOf({ skeleton, map }: Humanoid): MetricFrame | null {
  return metricFrame(nodePose(skeleton).positions, map.nodes);
}

function rotationOfFrame(humanoid: Humanoid): Float64Array {
  const frame = frameOf(humanoid);
  if (frame === null) throw new Error('no frame');
  return frame.rotation;
}

const ARMS = [BONE.leftUpperArm, BONE.rightUpperArm];
const LEGS = [BONE.leftUpperLeg, BONE.rightUpperLeg];
const FEET = [BONE.leftToes, BONE.rightToes];

/** The T-pose body turned as a whole. */
function turnedBody(turn: Quaternion): Humanoid {
  return tBody({ hips: { turn } });
}

describe('metricFrame', () => {
  test('is the identity for a body that stands and looks ahead', () => {
    expectSameRotation(rotationOfFrame(tBody()), IDENTITY, EXACT);
  });

  test.each([0.01, 0.3, Math.PI / 2, 2.5, Math.PI])('undoes a yaw of %s, not rounded to an axis', (yaw) => {
    const turn = aboutAxis([0, 1, 0], yaw);
    expectSameRotation(rotationOfFrame(turnedBody(turn)), inverse(turn), EXACT);
  });

  test.each([
    ['Z up', aboutAxis([1, 0, 0], Math.PI / 2)],
    ['X up', aboutAxis([0, 0, 1], -Math.PI / 2)],
    ['upside down', aboutAxis([1, 0, 0], Math.PI)],
  ])('stands up a file with %s', (_, turn) => {
    expectSameRotation(rotationOfFrame(turnedBody(turn)), inverse(turn), EXACT);
  });

  test('leaves a lean of less than 15° to the body: up is the axis of the file', () => {
    expectSameRotation(rotationOfFrame(turnedBody(aboutAxis([1, 0, 0], 0.2))), IDENTITY, EXACT);
  });

  test('stands up a body that leans as a whole by more', () => {
    const turn = aboutAxis([1, 0, 0], 0.6);
    expectSameRotation(rotationOfFrame(turnedBody(turn)), inverse(turn), EXACT);
  });

  test('takes up from trunk and legs where the trunk alone stands askew', () => {
    const lean = (angle: number): Humanoid => tBody({ spine: { turn: aboutAxis([1, 0, 0], angle), at: [0, 0, 0] } });
    expectSameRotation(rotationOfFrame(lean(0.35)), IDENTITY, EXACT);
    // Beyond 30° the trunk is not askew, the body bends over: up is that of the trunk.
    const bent = rotationOfFrame(lean(0.7));
    expectNear(turned(Array.from(bent), turned(aboutAxis([1, 0, 0], 0.7), [0, 1, 0])), [0, 1, 0], EXACT);
  });

  test('weighs hip and shoulder lines together when they are twisted against each other', () => {
    const twist = aboutAxis([0, 1, 0], 0.4);
    const frame = rotationOfFrame(tBody({ spine: { turn: twist } }));
    const front = turned(Array.from(inverse(Array.from(frame))), [0, 0, 1]);
    // Shoulders are 40 cm apart, hips 20: two thirds of the way to the shoulders, by tangents.
    const expected = Math.atan2(0.4 * Math.sin(0.4), 0.2 + 0.4 * Math.cos(0.4));
    expectNear(front, [Math.sin(expected), 0, Math.cos(expected)], EXACT);
  });

  test('does with the middle of one side where the other is missing', () => {
    const lame = without(tBody(), [BONE.rightUpperLeg]);
    expect(frameOf(lame)).not.toBeNull();
  });

  test('does with the hips joint or the head where legs or arms are missing', () => {
    expectSameRotation(rotationOfFrame(without(tBody(), LEGS)), IDENTITY, EXACT);
    expectSameRotation(rotationOfFrame(without(tBody(), ARMS)), IDENTITY, EXACT);
  });

  test('is null without breadth or height', () => {
    expect(frameOf(without(tBody(), [...ARMS, ...LEGS, ...FEET]))).toBeNull();
    expect(frameOf(without(tBody(), [BONE.leftUpperArm, BONE.rightUpperLeg, ...FEET]))).toBeNull();
    const point = tinyHumanoid(
      ...['hips', 'leftUpperArm', 'rightUpperArm', 'leftUpperLeg', 'rightUpperLeg'].map((name) => ({ name })),
    );
    expect(frameOf(point)).toBeNull();
    const line = tinyHumanoid(
      { name: 'hips' },
      { name: 'leftUpperArm', at: [0, 2, 0] },
      { name: 'rightUpperArm', at: [0, 1, 0] },
      { name: 'leftUpperLeg', at: [0, -1, 0] },
      { name: 'rightUpperLeg', at: [0, -2, 0] },
    );
    expect(frameOf(line)).toBeNull();
  });

  test('is null for positions that are no numbers', () => {
    expect(frameOf(tBody({ spine: { at: [0, Number.NaN, 0] } }))).toBeNull();
  });

  test('says what showed the front, and how sure that is', () => {
    expect(frameOf(tBody())).toMatchObject({
      issues: [],
      confidence: 1,
      reason: 'front by hips and shoulders, and by feet',
    });
    const below = { leftToes: { at: [0, -0.08, 0] }, rightToes: { at: [0, -0.08, 0] } };
    expect(frameOf(tBody(below))).toMatchObject({ issues: [], confidence: 0.8, reason: 'front by hips and shoulders' });
  });

  test('warns when the toes point backward', () => {
    const backward = { at: [0, -0.08, -0.15] };
    const frame = frameOf(tBody({ leftToes: backward, rightToes: backward }));
    expect(frame?.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
    expect(frame?.reason).toBe('front by hips and shoulders; feet point backward');
    expectSameRotation(frame!.rotation, IDENTITY, EXACT);
  });

  test('does not warn when feet and face outvote the thumbs', () => {
    const thumbs = (['left', 'right'] as const).map((side) => ({
      name: `${side}ThumbProximal`,
      parent: `${side}Hand`,
      at: [0, 0, -0.05],
    }));
    expect(frameOf(tBody({}, ...thumbs))).toMatchObject({ issues: [], confidence: 0.9 });
  });

  test.each([
    ['+X', Math.PI / 2],
    ['−Z', Math.PI],
    ['−X', -Math.PI / 2],
    ['+Z', 0],
  ])('takes the axis of the file to which the feet point where the body is but a line: %s', (_, yaw) => {
    const thin = Object.fromEntries(
      ['left', 'right'].flatMap((side) => [
        [`${side}UpperLeg`, { at: [0, 0, 0] }],
        [`${side}UpperArm`, { at: [0, 0.3, 0] }],
      ]),
    );
    const turn = aboutAxis([0, 1, 0], yaw + 0.2);
    const frame = frameOf(tBody({ ...thin, hips: { turn } }));
    expectSameRotation(frame!.rotation, inverse(aboutAxis([0, 1, 0], yaw)), EXACT);
    expect(frame!.confidence).toBe(0.4);
    expect(frame!.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
  });
});
