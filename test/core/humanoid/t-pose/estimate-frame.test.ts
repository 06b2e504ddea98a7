import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { estimateFrame, type FrameEstimate } from '../../../../src/core/humanoid/t-pose/estimate-frame.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { without } from '../../../support/make/change-rig.ts';
import { tinyHumanoid, tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, IDENTITY, inverse, product, type Quaternion, rotated } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

function frameOf({ skeleton, map }: Humanoid): FrameEstimate | null {
  return estimateFrame(restModelPose(skeleton).positions, map.nodes);
}

function rotationOfFrame(humanoid: Humanoid): Float64Array {
  const frame = frameOf(humanoid);
  if (frame === null) throw new Error('estimateFrame found no frame');
  return frame.rotation;
}

const ARMS = [BONE.leftUpperArm, BONE.rightUpperArm];
const LEGS = [BONE.leftUpperLeg, BONE.rightUpperLeg];
const FEET = [BONE.leftToes, BONE.rightToes];

/** The T-pose humanoid, rotated as a whole. */
function rotatedHumanoid(turn: Quaternion): Humanoid {
  return tPoseHumanoid({ hips: { turn } });
}

describe('estimateFrame', () => {
  test('returns the identity for an upright humanoid that faces +Z', () => {
    expectSameRotation(rotationOfFrame(tPoseHumanoid()), IDENTITY, EXACT);
  });

  test.each([0.04, 0.3, Math.PI / 2, 2.5, Math.PI])('undoes a yaw of %s without snapping to an axis', (yaw) => {
    const turn = aboutAxis([0, 1, 0], yaw);
    expectSameRotation(rotationOfFrame(rotatedHumanoid(turn)), inverse(turn), EXACT);
  });

  test.each([0, Math.PI / 2, -2.3])(
    'takes an axis of the file as the front within 2°, for a file yaw of %s',
    (axis) => {
      for (const noise of [0.3, -1.9]) {
        const turn = aboutAxis([0, 1, 0], axis + (noise * Math.PI) / 180);
        const nearest = (Math.PI / 2) * Math.round(axis / (Math.PI / 2));
        const expected = Math.abs(axis - nearest) < 0.01 ? aboutAxis([0, 1, 0], nearest) : turn;
        expectSameRotation(rotationOfFrame(rotatedHumanoid(turn)), inverse(expected), EXACT);
      }
    },
  );

  test.each([
    ['Z up', aboutAxis([1, 0, 0], Math.PI / 2)],
    ['X up', aboutAxis([0, 0, 1], -Math.PI / 2)],
  ])('takes an axis of the file as the front of a file with %s', (_, upright) => {
    const turn = product(upright, aboutAxis([0, 1, 0], 0.005));
    expectSameRotation(rotationOfFrame(rotatedHumanoid(turn)), inverse(upright), EXACT);
  });

  test('ignores hip and shoulder joints that are 0.4° off by noise', () => {
    const noise = tPoseHumanoid({
      leftUpperLeg: { at: [0.1, 0, 0.001] },
      leftUpperArm: { at: [0.2, 0.3, -0.004] },
    });
    expectSameRotation(rotationOfFrame(noise), IDENTITY, EXACT);
  });

  test.each([
    ['Z up', aboutAxis([1, 0, 0], Math.PI / 2)],
    ['X up', aboutAxis([0, 0, 1], -Math.PI / 2)],
    ['upside down', aboutAxis([1, 0, 0], Math.PI)],
  ])('makes a file upright with %s', (_, turn) => {
    expectSameRotation(rotationOfFrame(rotatedHumanoid(turn)), inverse(turn), EXACT);
  });

  test('keeps a lean below 15°: up snaps to the axis of the file', () => {
    expectSameRotation(rotationOfFrame(rotatedHumanoid(aboutAxis([1, 0, 0], 0.2))), IDENTITY, EXACT);
  });

  test('undoes a lean of the whole humanoid above 15°', () => {
    const turn = aboutAxis([1, 0, 0], 0.6);
    expectSameRotation(rotationOfFrame(rotatedHumanoid(turn)), inverse(turn), EXACT);
  });

  test('takes the up axis from trunk and legs when the trunk alone is tilted', () => {
    const lean = (angle: number): Humanoid =>
      tPoseHumanoid({ spine: { turn: aboutAxis([1, 0, 0], angle), at: [0, 0, 0] } });
    expectSameRotation(rotationOfFrame(lean(0.35)), IDENTITY, EXACT);
    // Beyond 30° the humanoid bends over: up is that of the trunk.
    const bent = rotationOfFrame(lean(0.7));
    expectNear(rotated(Array.from(bent), rotated(aboutAxis([1, 0, 0], 0.7), [0, 1, 0])), [0, 1, 0], EXACT);
  });

  test('averages hip and shoulder lines that are twisted against each other, weighted by length', () => {
    const twist = aboutAxis([0, 1, 0], 0.4);
    const frame = rotationOfFrame(tPoseHumanoid({ spine: { turn: twist } }));
    const front = rotated(Array.from(inverse(Array.from(frame))), [0, 0, 1]);
    // Shoulders are 40 cm apart, hips 20: two thirds of the way to the shoulders, by tangents.
    const expected = Math.atan2(0.4 * Math.sin(0.4), 0.2 + 0.4 * Math.cos(0.4));
    expectNear(front, [Math.sin(expected), 0, Math.cos(expected)], EXACT);
  });

  test('works with one hip joint when the other is missing', () => {
    const lame = without(tPoseHumanoid(), [BONE.rightUpperLeg]);
    expect(frameOf(lame)).not.toBeNull();
  });

  test('uses the hips bone or the head when legs or arms are missing', () => {
    expectSameRotation(rotationOfFrame(without(tPoseHumanoid(), LEGS)), IDENTITY, EXACT);
    expectSameRotation(rotationOfFrame(without(tPoseHumanoid(), ARMS)), IDENTITY, EXACT);
  });

  test('returns null without breadth or height', () => {
    expect(frameOf(without(tPoseHumanoid(), [...ARMS, ...LEGS, ...FEET]))).toBeNull();
    expect(frameOf(without(tPoseHumanoid(), [BONE.leftUpperArm, BONE.rightUpperLeg, ...FEET]))).toBeNull();
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

  test('returns null for NaN positions', () => {
    expect(frameOf(tPoseHumanoid({ spine: { at: [0, Number.NaN, 0] } }))).toBeNull();
  });

  test('returns the evidence for the front and its confidence', () => {
    expect(frameOf(tPoseHumanoid())).toMatchObject({
      issues: [],
      confidence: 1,
      reason: 'front from hips and shoulders, confirmed by feet',
    });
    const below = { leftToes: { at: [0, -0.08, 0] }, rightToes: { at: [0, -0.08, 0] } };
    expect(frameOf(tPoseHumanoid(below))).toMatchObject({
      issues: [],
      confidence: 0.8,
      reason: 'front from hips and shoulders',
    });
  });

  test('reports toes that point backward', () => {
    const backward = { at: [0, -0.08, -0.15] };
    const frame = frameOf(tPoseHumanoid({ leftToes: backward, rightToes: backward }));
    expect(frame?.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
    expect(frame?.reason).toBe('front from hips and shoulders; feet point backward');
    expectSameRotation(frame!.rotation, IDENTITY, EXACT);
  });

  test('reports nothing when the feet outweigh backward thumbs', () => {
    const thumbs = (['left', 'right'] as const).map((side) => ({
      name: `${side}ThumbProximal`,
      parent: `${side}Hand`,
      at: [0, 0, -0.05],
    }));
    expect(frameOf(tPoseHumanoid({}, ...thumbs))).toMatchObject({ issues: [], confidence: 0.9 });
  });

  test.each([
    ['+X', Math.PI / 2],
    ['−Z', Math.PI],
    ['−X', -Math.PI / 2],
    ['+Z', 0],
  ])('faces the axis of the file to which the feet point when the humanoid has no breadth: %s', (_, yaw) => {
    const thin = Object.fromEntries(
      ['left', 'right'].flatMap((side) => [
        [`${side}UpperLeg`, { at: [0, 0, 0] }],
        [`${side}UpperArm`, { at: [0, 0.3, 0] }],
      ]),
    );
    const turn = aboutAxis([0, 1, 0], yaw + 0.2);
    const frame = frameOf(tPoseHumanoid({ ...thin, hips: { turn } }));
    expectSameRotation(frame!.rotation, inverse(aboutAxis([0, 1, 0], yaw)), EXACT);
    expect(frame!.confidence).toBe(0.4);
    expect(frame!.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
  });
});
