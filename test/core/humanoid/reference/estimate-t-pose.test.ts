import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { POSED_PARTS } from '../../../../src/core/humanoid/humanoid.ts';
import { without } from '../../../make/change-rig.ts';
import { about, estimate, finding, leftFingers, pointsOf, turnOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../near.ts';
import { IDENTITY } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

describe('estimateTPose', () => {
  test('leaves an exact T-pose as it is', () => {
    const { turns } = estimate(tBody({}, ...leftFingers()));
    for (let bone = 0; bone < turns.length / 4; bone++) {
      expectSameRotation(turns.subarray(4 * bone, 4 * bone + 4), IDENTITY, EXACT);
    }
  });

  test('says of every part that is there, once, what showed it', () => {
    const { findings } = estimate(tBody({}, ...leftFingers(), { name: 'jaw', parent: 'head', at: [0, 0, 0.05] }));
    const parts = findings.map(({ part }) => part);
    expect(new Set(parts).size).toBe(parts.length);
    expect(parts.every((part) => POSED_PARTS.includes(part))).toBe(true);
    expect(parts).toEqual(expect.arrayContaining(['trunk', 'leftFingers', 'rightPalm', 'leftFoot', 'jaw']));
    expect(parts).not.toContain('rightFingers');
    expect(findings.every(({ confidence, reason }) => confidence > 0 && confidence <= 1 && reason !== '')).toBe(true);
  });

  test('warns of parts that it is not sure of, and of no others', () => {
    const found = estimate(tBody({}, ...leftFingers()));
    expect(found.issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'POSE_LIMB_AMBIGUOUS rightPalm: no two knuckles and no thumb show where the palm faces; it keeps the roll of the forearm.',
    ]);
  });

  test('reads the mesh once', () => {
    let reads = 0;
    const body = tBody();
    const vertices = () => {
      reads++;
      return pointsOf(body, 'leftHand', [[0, 0, 0]]);
    };
    estimate(body, { vertices });
    expect(reads).toBe(1);
  });

  test('does with whatever limbs there are', () => {
    const { leftUpperArm, leftLowerArm, leftHand, rightUpperLeg, rightLowerLeg, rightFoot, rightToes } = BONE;
    const limbs = [leftUpperArm, leftLowerArm, leftHand, rightUpperLeg, rightLowerLeg, rightFoot, rightToes];
    const found = estimate(without(tBody({ leftUpperLeg: { turn: about.z(0.2) } }), limbs));
    expect(finding(found, 'leftArm')).toBeUndefined();
    expect(finding(found, 'rightFoot')).toBeUndefined();
    expectSameRotation(turnOf(found, 'leftUpperLeg'), about.z(-0.2), EXACT);
  });
});
