import { describe, expect, test } from 'vitest';
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import {
  bonePositions,
  highestBone,
  lowestFoot,
  raise,
  rigidTurns,
  turnPose,
} from '../../../../src/core/humanoid/reference/reference-pose.ts';
import { without } from '../../../make/change-rig.ts';
import { tBody, tinyHumanoid } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { aboutAxis, read } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const QUARTER = aboutAxis([0, 0, 1], Math.PI / 2);

describe('bonePositions', () => {
  test('are those of the bones, turned by the frame', () => {
    const { skeleton, map } = tBody();
    const half = aboutAxis([0, 1, 0], Math.PI);
    const points = bonePositions(nodePose(skeleton), map.nodes, Float64Array.from(half));
    expectNear(read(points, 3 * BONE.leftHand, 3), [-0.75, 1.5, 0], EXACT);
    expect(read(points, 3 * BONE.jaw, 3)).toEqual([0, 0, 0]);
  });
});

describe('rigidTurns and turnPose', () => {
  test('turn a whole pose about the origin', () => {
    const { skeleton, map } = tBody();
    const { positions, rotations } = turnPose(map.nodes, nodePose(skeleton), rigidTurns(Float64Array.from(QUARTER)));
    expectNear(positions.subarray(0, 3), [-1, 0, 0], EXACT);
    expectNear(read(positions, 3 * BONE.leftHand, 3), [-1.5, 0.75, 0], EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftHand, 4), QUARTER, EXACT);
  });
});

describe('turnPose', () => {
  test('carries what hangs below a bone along with its turn, and turns bones on top of the pose', () => {
    const bend = aboutAxis([1, 0, 0], 0.3);
    const { skeleton, map } = tBody({ leftLowerArm: { turn: bend } });
    const turns = rigidTurns(Float64Array.of(0, 0, 0, 1));
    turns.set(QUARTER, 4 * BONE.leftUpperArm);
    const { positions, rotations } = turnPose(map.nodes, nodePose(skeleton), turns);
    expectNear(read(positions, 3 * BONE.leftUpperArm, 3), [0.2, 1.5, 0], EXACT);
    expectNear(read(positions, 3 * BONE.leftLowerArm, 3), [0.2, 1.8, 0], EXACT);
    // The hand is where the forearm, which was not turned, carries it.
    expectNear(read(positions, 3 * BONE.leftHand, 3), [0.45, 1.8, 0], EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftUpperArm, 4), QUARTER, EXACT);
    expectSameRotation(read(rotations, 4 * BONE.leftLowerArm, 4), bend, EXACT);
  });

  test('keeps a bone at the end of its limb that hangs elsewhere in the node tree', () => {
    const { skeleton, map } = tinyHumanoid(
      { name: 'hips', at: [0, 1, 0] },
      { name: 'leftUpperLeg', parent: 'hips' },
      { name: 'ik', at: [0, 0.2, 0] },
      { name: 'leftFoot', parent: 'ik' },
    );
    const turns = rigidTurns(Float64Array.of(0, 0, 0, 1));
    turns.set(QUARTER, 4 * BONE.leftUpperLeg);
    const { positions } = turnPose(map.nodes, nodePose(skeleton), turns);
    expectNear(read(positions, 3 * BONE.leftFoot, 3), [0.8, 1, 0], EXACT);
  });

  test('is the identity and the origin for bones that are not there', () => {
    const { skeleton, map } = tBody();
    const { positions, rotations } = turnPose(map.nodes, nodePose(skeleton), rigidTurns(Float64Array.from(QUARTER)));
    expect(read(rotations, 4 * BONE.jaw, 4)).toEqual([0, 0, 0, 1]);
    expect(read(positions, 3 * BONE.jaw, 3)).toEqual([0, 0, 0]);
  });
});

describe('heights', () => {
  const { reference, map } = tBody();

  test('lowestFoot is that of the lowest toe or ankle', () => {
    expect(lowestFoot(reference.positions, map.nodes)).toBeCloseTo(0.02, 12);
    const lame = tBody({ leftFoot: { at: [0, -0.6, 0] } });
    expect(lowestFoot(lame.reference.positions, lame.map.nodes)).toBeCloseTo(-0.18, 12);
  });

  test('lowestFoot is that of the lowest bone without feet', () => {
    const feet = [BONE.leftFoot, BONE.rightFoot, BONE.leftToes, BONE.rightToes];
    expect(lowestFoot(reference.positions, without(tBody(), feet).map.nodes)).toBeCloseTo(0.5, 12);
  });

  test('highestBone is that of the head here', () => {
    expect(highestBone(reference.positions, map.nodes)).toBeCloseTo(1.7, 12);
  });

  test('raise lifts the bones that are there', () => {
    const positions = new Float64Array(3 * BONE_COUNT);
    raise(positions, map.nodes, 0.5);
    expect(positions[3 * BONE.head + 1]).toBe(0.5);
    expect(positions[3 * BONE.head]).toBe(0);
    expect(positions[3 * BONE.jaw + 1]).toBe(0);
  });
});
