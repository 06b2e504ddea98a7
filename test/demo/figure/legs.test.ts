import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { worldPose } from '../../../src/demo/characters/character-pose.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { makeFootTransform, reachWithLeg } from '../../../src/demo/figure/legs.ts';
import { composeRotations, makeLocalRotations, makePose, rotateBone } from '../../../src/demo/figure/pose.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { aboutAxis, product } from '../../support/reference/plain.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

const body = makeCharacter({});
const { figure } = body;

function bent(): ReturnType<typeof makePose> {
  const pose = makePose(figure);
  const turns = makeLocalRotations();
  rotateBone(turns, 'hips', 8, 25, -4);
  composeRotations(pose, turns);
  return pose;
}

describe('reachWithLeg', () => {
  it('moves the ankle to its target and sets the foot rotation', () => {
    const pose = bent();
    const place = {
      ...makeFootTransform(),
      ankle: Float64Array.of(-0.1, 0.2, 0.25),
      yaw: 0.4,
      pitch: 0.3,
      toePitch: 0.1,
    };
    const stretched = reachWithLeg(pose, figure, 'right', place);
    const { positions } = worldPose(body, pose);
    const at = body.bones[BONE.rightFoot] * 3;
    expectNear(positions.subarray(at, at + 3), place.ankle, EXACT_CHAIN);
    const foot = pose.deltas.subarray(BONE.rightFoot * 4, BONE.rightFoot * 4 + 4);
    expectSameRotation(foot, product(aboutAxis([0, 1, 0], 0.4), aboutAxis([1, 0, 0], 0.3)), EXACT_CHAIN);
    expect(stretched).toBeLessThan(1);
    const knee = positions.subarray(body.bones[BONE.rightLowerLeg] * 3, body.bones[BONE.rightLowerLeg] * 3 + 3);
    expect(knee[2]).toBeGreaterThan(place.ankle[2] / 2 + 0.1);
  });

  it('stretches the leg towards an unreachable target and returns the ratio', () => {
    const pose = makePose(figure);
    const { leg } = figure.proportions;
    const hip = figure.joints.subarray(BONE.leftUpperLeg * 3, BONE.leftUpperLeg * 3 + 3);
    const place = { ...makeFootTransform(), ankle: Float64Array.of(hip[0], hip[1] - 2 * leg, hip[2]) };
    expect(reachWithLeg(pose, figure, 'left', place)).toBeCloseTo(2, 12);
    const straight = makePose(figure);
    expectNear(pose.deltas, straight.deltas, EXACT_CHAIN);
  });
});
