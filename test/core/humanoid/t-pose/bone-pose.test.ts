import { describe, expect, test } from 'vitest';
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import {
  applyCorrections,
  bonePositions,
  highestBoneHeight,
  lowestFootHeight,
  moveBones,
  uniformCorrections,
} from '../../../../src/core/humanoid/t-pose/bone-pose.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { without } from '../../../support/make/change-rig.ts';
import { tinyHumanoid, tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, read } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const QUARTER = aboutAxis([0, 0, 1], Math.PI / 2);

describe('bonePositions', () => {
  test('returns the positions of the bones, rotated by the frame', () => {
    const { skeleton, map } = tPoseHumanoid();
    const half = aboutAxis([0, 1, 0], Math.PI);
    const points = bonePositions(restModelPose(skeleton), map.nodes, Float64Array.from(half));
    expectNear(read(points, 3 * BONE.leftHand, 3), [-0.75, 1.5, 0], EXACT);
    expect(read(points, 3 * BONE.jaw, 3)).toEqual([0, 0, 0]);
  });
});

describe('uniformCorrections and applyCorrections', () => {
  test('rotate a whole pose about the origin', () => {
    const { skeleton, map } = tPoseHumanoid();
    const { positions, rotations } = applyCorrections(
      map.nodes,
      restModelPose(skeleton),
      uniformCorrections(Float64Array.from(QUARTER)),
    );
    expectNear(positions.subarray(0, 3), [-1, 0, 0], EXACT);
    expectNear(read(positions, 3 * BONE.leftHand, 3), [-1.5, 0.75, 0], EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftHand, 4), QUARTER, EXACT);
  });
});

describe('applyCorrections', () => {
  test('moves the children of a corrected bone and applies corrections after the pose', () => {
    const bend = aboutAxis([1, 0, 0], 0.3);
    const { skeleton, map } = tPoseHumanoid({ leftLowerArm: { turn: bend } });
    const turns = uniformCorrections(Float64Array.of(0, 0, 0, 1));
    turns.set(QUARTER, 4 * BONE.leftUpperArm);
    const { positions, rotations } = applyCorrections(map.nodes, restModelPose(skeleton), turns);
    expectNear(read(positions, 3 * BONE.leftUpperArm, 3), [0.2, 1.5, 0], EXACT);
    expectNear(read(positions, 3 * BONE.leftLowerArm, 3), [0.2, 1.8, 0], EXACT);
    // The forearm has the identity correction, so the hand keeps its offset from it.
    expectNear(read(positions, 3 * BONE.leftHand, 3), [0.45, 1.8, 0], EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftUpperArm, 4), QUARTER, EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftLowerArm, 4), bend, EXACT);
  });

  test('keeps a bone with another parent in the node tree at the end of its limb', () => {
    const { skeleton, map } = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'leftUpperLeg', parent: 'hips' },
      { name: 'ik', at: [0, 0.2, 0] },
      { name: 'leftFoot', parent: 'ik' },
    );
    const turns = uniformCorrections(Float64Array.of(0, 0, 0, 1));
    turns.set(QUARTER, 4 * BONE.leftUpperLeg);
    const { positions } = applyCorrections(map.nodes, restModelPose(skeleton), turns);
    expectNear(read(positions, 3 * BONE.leftFoot, 3), [0.8, 1, 0], EXACT);
  });

  test('returns identity and origin for absent bones', () => {
    const { skeleton, map } = tPoseHumanoid();
    const { positions, rotations } = applyCorrections(
      map.nodes,
      restModelPose(skeleton),
      uniformCorrections(Float64Array.from(QUARTER)),
    );
    expect(read(rotations, 4 * BONE.jaw, 4)).toEqual([0, 0, 0, 1]);
    expect(read(positions, 3 * BONE.jaw, 3)).toEqual([0, 0, 0]);
  });
});

describe('heights', () => {
  const { reference, map } = tPoseHumanoid();

  test('lowestFootHeight returns the height of the lowest toe or ankle', () => {
    expect(lowestFootHeight(reference.positions, map.nodes)).toBeCloseTo(0.02, 12);
    const lame = tPoseHumanoid({ leftFoot: { at: [0, -0.6, 0] } });
    expect(lowestFootHeight(lame.reference.positions, lame.map.nodes)).toBeCloseTo(-0.18, 12);
  });

  test('lowestFootHeight returns the height of the lowest bone without feet', () => {
    const feet = [BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];
    expect(lowestFootHeight(reference.positions, without(tPoseHumanoid(), feet).map.nodes)).toBeCloseTo(0.5, 12);
  });

  test('highestBoneHeight returns the height of the head', () => {
    expect(highestBoneHeight(reference.positions, map.nodes)).toBeCloseTo(1.7, 12);
  });

  test('moveBones moves present bones only', () => {
    const positions = new Float64Array(3 * BONE_COUNT);
    moveBones(positions, map.nodes, [0.1, 0.5, 0]);
    expect(positions[3 * BONE.head + 1]).toBe(0.5);
    expect(positions[3 * BONE.head]).toBe(0.1);
    expect(positions[3 * BONE.jaw + 1]).toBe(0);
  });
});
