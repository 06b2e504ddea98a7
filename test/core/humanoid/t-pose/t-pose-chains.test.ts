import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  deviationFromTPose,
  distanceFromTPose,
  nextInChain,
  T_POSE_CHAINS,
} from '../../../../src/core/humanoid/t-pose/t-pose-chains.ts';
import { without } from '../../../support/make/change-rig.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { aboutAxis } from '../../../support/reference/plain.ts';

function deviation({ reference, map }: Humanoid): ReturnType<typeof deviationFromTPose> {
  return deviationFromTPose(reference.positions, map.nodes);
}

function error({ reference, map }: Humanoid): number {
  return distanceFromTPose(reference.positions, map.nodes);
}

/** The T-pose humanoid with its left arm lowered. */
function lowered(angle: number): Humanoid {
  return tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -angle) } });
}

describe('deviationFromTPose', () => {
  test('returns 0 for a T-pose, for the present limbs', () => {
    expect(deviation(tPoseHumanoid())).toEqual({ leftArm: 0, rightArm: 0, leftLeg: 0, rightLeg: 0 });
  });

  test('returns the angle of the worst segment of a limb in degrees', () => {
    expect(deviation(lowered(Math.PI / 4)).leftArm).toBeCloseTo(45, 9);
    const bent = tPoseHumanoid({
      leftLowerArm: { turn: aboutAxis([0, 1, 0], -1) },
      rightLowerLeg: { turn: aboutAxis([1, 0, 0], 0.5) },
    });
    expect(deviation(bent).leftArm).toBeCloseTo(180 / Math.PI, 9);
    expect(deviation(bent).rightLeg).toBeCloseTo(90 / Math.PI, 9);
    expect(deviation(bent).rightArm).toBe(0);
  });

  test('measures hands by the middle finger, fingers along X and thumbs at 45°', () => {
    const hand = tPoseHumanoid(
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
    expect(deviation(without(tPoseHumanoid(), [BONE.leftLowerArm, BONE.leftHand]))).not.toHaveProperty('leftArm');
  });
});

describe('nextInChain', () => {
  const arm = T_POSE_CHAINS.find(({ limb }) => limb === 'leftArm')!;

  test('returns the next present bone, −1 at the end', () => {
    const { reference, map } = without(tPoseHumanoid(), [BONE.leftLowerArm]);
    expect(nextInChain(arm, BONE.leftUpperArm, map.nodes, reference.positions)).toBe(BONE.leftHand);
    expect(nextInChain(arm, BONE.leftHand, map.nodes, reference.positions)).toBe(-1);
  });

  test('skips joints that coincide with the bone', () => {
    const { reference, map } = tPoseHumanoid({ leftLowerArm: { at: [0, 0, 0] } });
    expect(nextInChain(arm, BONE.leftUpperArm, map.nodes, reference.positions)).toBe(BONE.leftHand);
  });
});

describe('distanceFromTPose', () => {
  test('returns 0 for a T-pose and grows with the deviation of a limb', () => {
    expect(error(tPoseHumanoid())).toBe(0);
    expect(error(lowered(0.5))).toBeGreaterThan(0);
    expect(error(lowered(1))).toBeGreaterThan(error(lowered(0.5)));
  });

  test('returns less for lowered arms than for a lying pose', () => {
    const down = aboutAxis([0, 0, 1], Math.PI / 2);
    const lowArms = tPoseHumanoid({
      leftUpperArm: { turn: aboutAxis([0, 0, 1], -Math.PI / 2) },
      rightUpperArm: { turn: down },
    });
    const lying = tPoseHumanoid({ hips: { turn: aboutAxis([1, 0, 0], -Math.PI / 2) } });
    expect(error(lowArms)).toBeLessThan(error(lying));
  });
});
