import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  deviationFromTPose,
  nextInChain,
  poseError,
  T_POSE_CHAINS,
} from '../../../../src/core/humanoid/reference/t-pose.ts';
import { without } from '../../../make/change-rig.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { aboutAxis } from '../../../reference/plain.ts';

function deviation({ reference, map }: Humanoid): ReturnType<typeof deviationFromTPose> {
  return deviationFromTPose(reference.positions, map.nodes);
}

function error({ reference, map }: Humanoid): number {
  return poseError(reference.positions, map.nodes);
}

/** The body with its left arm lowered. */
function lowered(angle: number): Humanoid {
  return tBody({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -angle) } });
}

describe('deviationFromTPose', () => {
  test('is 0 for a T-pose, of the limbs that are there', () => {
    expect(deviation(tBody())).toEqual({ leftArm: 0, rightArm: 0, leftLeg: 0, rightLeg: 0 });
  });

  test('is the angle of the worst segment of a limb, in degrees', () => {
    expect(deviation(lowered(Math.PI / 4)).leftArm).toBeCloseTo(45, 9);
    const bent = tBody({
      leftLowerArm: { turn: aboutAxis([0, 1, 0], -1) },
      rightLowerLeg: { turn: aboutAxis([1, 0, 0], 0.5) },
    });
    expect(deviation(bent).leftArm).toBeCloseTo(180 / Math.PI, 9);
    expect(deviation(bent).rightLeg).toBeCloseTo(90 / Math.PI, 9);
    expect(deviation(bent).rightArm).toBe(0);
  });

  test('knows hands by the middle finger, fingers along X and thumbs at 45°', () => {
    const hand = tBody(
      {},
      { name: 'leftMiddleProximal', parent: 'leftHand', at: [0.1, 0, 0] },
      { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.03, 0, 0.03] },
      { name: 'leftThumbProximal', parent: 'leftThumbMetacarpal', at: [0.04, 0, 0] },
      { name: 'rightMiddleProximal', parent: 'rightHand', at: [-0.1, -0.1, 0] },
      { name: 'rightIndexProximal', parent: 'rightHand', at: [-0.1, 0, 0.03] },
      { name: 'rightIndexIntermediate', parent: 'rightIndexProximal', at: [-0.04, 0, 0] },
    );
    const { leftHand, rightHand, leftFingers, rightFingers } = deviation(hand);
    expect(leftHand).toBe(0);
    expect(rightHand).toBeCloseTo(45, 9);
    expect(leftFingers).toBeCloseTo(45, 9);
    expect(rightFingers).toBe(0);
  });

  test('leaves out limbs without a segment', () => {
    expect(deviation(without(tBody(), [BONE.leftLowerArm, BONE.leftHand]))).not.toHaveProperty('leftArm');
  });
});

describe('nextInChain', () => {
  const arm = T_POSE_CHAINS.find(({ limb }) => limb === 'leftArm')!;

  test('is the next bone that is there, −1 at the end', () => {
    const { reference, map } = without(tBody(), [BONE.leftLowerArm]);
    expect(nextInChain(arm, BONE.leftUpperArm, map.nodes, reference.positions)).toBe(BONE.leftHand);
    expect(nextInChain(arm, BONE.leftHand, map.nodes, reference.positions)).toBe(-1);
  });

  test('passes over joints on top of the bone', () => {
    const { reference, map } = tBody({ leftLowerArm: { at: [0, 0, 0] } });
    expect(nextInChain(arm, BONE.leftUpperArm, map.nodes, reference.positions)).toBe(BONE.leftHand);
  });
});

describe('poseError', () => {
  test('is 0 for a T-pose and grows with every limb that is off', () => {
    expect(error(tBody())).toBe(0);
    expect(error(lowered(0.5))).toBeGreaterThan(0);
    expect(error(lowered(1))).toBeGreaterThan(error(lowered(0.5)));
  });

  test('is less for arms that hang down than for a body that lies down', () => {
    const down = aboutAxis([0, 0, 1], Math.PI / 2);
    const hanging = tBody({
      leftUpperArm: { turn: aboutAxis([0, 0, 1], -Math.PI / 2) },
      rightUpperArm: { turn: down },
    });
    const lying = tBody({ hips: { turn: aboutAxis([1, 0, 0], -Math.PI / 2) } });
    expect(error(hanging)).toBeLessThan(error(lying));
  });
});
