import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { without } from '../../../support/make/change-rig.ts';
import { about, correctionOf, estimate, finding, leftFingers, pointsOf } from '../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../support/near.ts';
import { IDENTITY } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

describe('estimateTPose', () => {
  test('returns identity corrections for an exact T-pose', () => {
    const { corrections } = estimate(tPoseHumanoid({}, ...leftFingers()));
    for (let bone = 0; bone < corrections.length / 4; bone++) {
      expectSameRotation(corrections.subarray(4 * bone, 4 * bone + 4), IDENTITY, EXACT);
    }
  });

  test('returns one finding with a reason per present body part, the left side first', () => {
    const { findings } = estimate(
      tPoseHumanoid({}, ...leftFingers(), { name: 'jaw', parent: 'head', at: [0, 0, 0.05] }),
    );
    const parts = findings.map(({ part }) => part);
    expect(parts).toEqual([
      'trunk',
      ...['leftArm', 'leftPalm', 'leftFingers', 'leftLeg', 'leftFoot'],
      ...['rightArm', 'rightPalm', 'rightLeg', 'rightFoot', 'jaw'],
    ]);
    expect(findings.every(({ confidence, reason }) => confidence > 0 && confidence <= 1 && reason !== '')).toBe(true);
  });

  test('reports exactly the ambiguous body parts that show', () => {
    expect(estimate(tPoseHumanoid({}, ...leftFingers())).issues).toEqual([]);
    const index: TinyNode = { name: 'rightIndexProximal', parent: 'rightHand', at: [-0.1, 0, 0] };
    const found = estimate(tPoseHumanoid({}, ...leftFingers(), index));
    expect(found.issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'POSE_LIMB_AMBIGUOUS rightPalm is ambiguous in the reference pose: fewer than two knuckles and no thumb, roll of the forearm kept. ' +
        'The most likely pose was taken. Supply a T-pose of the same rig if it is wrong.',
    ]);
  });

  test('reads the vertices once', () => {
    let reads = 0;
    const body = tPoseHumanoid();
    const vertices = () => {
      reads++;
      return pointsOf(body, 'leftHand', [[0, 0, 0]]);
    };
    estimate(body, { vertices });
    expect(reads).toBe(1);
  });

  test('aligns the present limbs when others are missing', () => {
    const { leftUpperArm, leftLowerArm, leftHand, rightUpperLeg, rightLowerLeg, rightFoot, rightToes } = BONE;
    const limbs = [leftUpperArm, leftLowerArm, leftHand, rightUpperLeg, rightLowerLeg, rightFoot, rightToes];
    const found = estimate(without(tPoseHumanoid({ leftUpperLeg: { turn: about.z(0.2) } }), limbs));
    expect(finding(found, 'leftArm')).toBeUndefined();
    expect(finding(found, 'rightFoot')).toBeUndefined();
    expectSameRotation(correctionOf(found, 'leftUpperLeg'), about.z(-0.2), EXACT);
  });
});
