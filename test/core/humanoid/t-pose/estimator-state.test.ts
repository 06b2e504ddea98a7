import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import {
  correctedSegment,
  createEstimatorState,
  DOWN,
  type EstimatorState,
  followParent,
  LEFT,
  perpendicularPart,
  rollAngleTo,
  rollBone,
  swingBone,
  tipCount,
  tipDirection,
  UP,
} from '../../../../src/core/humanoid/t-pose/estimator-state.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { about } from '../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { type Quaternion, read } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

function stateOf(rotation: Quaternion, ...more: readonly TinyNode[]): EstimatorState {
  const { skeleton, map } = tPoseHumanoid({}, ...more);
  const pose = restModelPose(skeleton);
  return createEstimatorState({
    skeleton,
    nodes: map.nodes,
    pose,
    frame: Float64Array.from(rotation),
    plantedSlope: () => null,
    vertices: () => null,
  });
}

const correctionOf = ({ corrections }: EstimatorState, bone: number): number[] => read(corrections, 4 * bone, 4);

describe('createEstimatorState', () => {
  test('rotates every bone and its segments by the frame', () => {
    const state = stateOf(about.z(Math.PI / 2));
    expectSameRotation(correctionOf(state, BONE.leftFoot), about.z(Math.PI / 2), EXACT);
    expectNear(correctedSegment(state, BONE.leftUpperArm, BONE.leftLowerArm, BONE.hips), [0, 0.3, 0], EXACT);
  });
});

describe('swingBone', () => {
  test('takes the shortest arc and returns its angle', () => {
    const state = stateOf(about.x(0));
    expect(swingBone(state, BONE.leftUpperArm, [2, 0, 0], DOWN, UP)).toBeCloseTo(Math.PI / 2, 12);
    expectSameRotation(correctionOf(state, BONE.leftUpperArm), about.z(-Math.PI / 2), EXACT);
  });

  test('goes via the intermediate direction when start and goal are nearly opposite', () => {
    const state = stateOf(about.x(0));
    swingBone(state, BONE.leftUpperArm, [-1, 0, 0], LEFT, DOWN);
    expectSameRotation(correctionOf(state, BONE.leftUpperArm), about.z(Math.PI), EXACT);
  });
});

describe('rollAngleTo and rollBone', () => {
  test('rollAngleTo returns the angle from cue to goal as seen along the axis', () => {
    expect(rollAngleTo(LEFT, [5, 1, 1], [0, 0, 1])).toBeCloseTo(Math.PI / 4, 12);
    expect(rollAngleTo(LEFT, [1, 0, 0], [0, 0, 1])).toBeNull();
    expectNear(perpendicularPart([5, 1, 1], LEFT), [0, 1, 1], EXACT);
  });

  test('rollBone applies after the correction, and followParent passes it to children', () => {
    const state = stateOf(about.y(1));
    rollBone(state, BONE.hips, UP, 0.5);
    followParent(state, BONE.spine);
    expectSameRotation(correctionOf(state, BONE.spine), about.y(1.5), EXACT);
  });
});

describe('tipCount and tipDirection', () => {
  const tips = (...at: readonly (readonly number[])[]): EstimatorState =>
    stateOf(about.x(0), ...at.map((point, k) => ({ name: `tip ${k}`, parent: 'head', at: point })));

  test('use the non-bone child nodes of a bone', () => {
    expect(tipCount(tips([0, 1, 0], [0, 1, 1]), BONE.head)).toBe(2);
    expect(tipCount(tips(), BONE.hips)).toBe(0);
    expectNear(tipDirection(tips([0, 3, 0], [0, 0, 2]), BONE.head) ?? [], [0, 1, 1], EXACT);
  });

  test('tipDirection returns null without child nodes at a distance', () => {
    expect(tipDirection(tips(), BONE.head)).toBeNull();
    expect(tipDirection(tips([0, 0, 0]), BONE.head)).toBeNull();
  });
});
