import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import {
  across,
  DOWN,
  followParent,
  LEFT,
  rollBy,
  rollTo,
  swing,
  type TurnedBody,
  tipCount,
  tipDirection,
  turnedBody,
  turnedSegment,
  UP,
} from '../../../../src/core/humanoid/reference/turned-body.ts';
import { about } from '../../../make/estimate.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { type Quaternion, read } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

function body(attitude: Quaternion, ...more: readonly TinyNode[]): TurnedBody {
  const { skeleton, map } = tBody({}, ...more);
  const pose = nodePose(skeleton);
  const turn = Float64Array.from(attitude);
  return turnedBody({
    skeleton,
    nodes: map.nodes,
    pose,
    attitude: turn,
    plantedSlope: () => null,
    vertices: () => null,
  });
}

const turnOf = ({ turns }: TurnedBody, bone: number): number[] => read(turns, 4 * bone, 4);

describe('turnedBody', () => {
  test('has every bone turned as a whole, and shows segments so', () => {
    const turned = body(about.z(Math.PI / 2));
    expectSameRotation(turnOf(turned, BONE.leftFoot), about.z(Math.PI / 2), EXACT);
    expectNear(turnedSegment(turned, BONE.leftUpperArm, BONE.leftLowerArm, BONE.hips), [0, 0.3, 0], EXACT);
  });
});

describe('swing', () => {
  test('takes the shortest arc and tells how far it was', () => {
    const turned = body(about.x(0));
    expect(swing(turned, BONE.leftUpperArm, [2, 0, 0], DOWN, UP)).toBeCloseTo(Math.PI / 2, 12);
    expectSameRotation(turnOf(turned, BONE.leftUpperArm), about.z(-Math.PI / 2), EXACT);
  });

  test('goes by another direction where the two are nearly opposite', () => {
    const turned = body(about.x(0));
    swing(turned, BONE.leftUpperArm, [-1, 0, 0], LEFT, DOWN);
    expectSameRotation(turnOf(turned, BONE.leftUpperArm), about.z(Math.PI), EXACT);
  });
});

describe('rolls', () => {
  test('bring a sign to its goal as it is seen along the axis', () => {
    expect(rollTo(LEFT, [5, 1, 1], [0, 0, 1])).toBeCloseTo(Math.PI / 4, 12);
    expect(rollTo(LEFT, [1, 0, 0], [0, 0, 1])).toBeNull();
    expectNear(across([5, 1, 1], LEFT), [0, 1, 1], EXACT);
  });

  test('come on top of what a bone has turned, and go on to the bones below', () => {
    const turned = body(about.y(1));
    rollBy(turned, BONE.hips, UP, 0.5);
    followParent(turned, BONE.spine);
    expectSameRotation(turnOf(turned, BONE.spine), about.y(1.5), EXACT);
  });
});

describe('tips', () => {
  const tips = (...at: readonly (readonly number[])[]): TurnedBody =>
    body(about.x(0), ...at.map((point, k) => ({ name: `tip ${k}`, parent: 'head', at: point })));

  test('are the nodes below a bone that are no bones', () => {
    expect(tipCount(tips([0, 1, 0], [0, 1, 1]), BONE.head)).toBe(2);
    expect(tipCount(tips(), BONE.hips)).toBe(0);
    expectNear(tipDirection(tips([0, 3, 0], [0, 0, 2]), BONE.head) ?? [], [0, 1, 1], EXACT);
  });

  test('that are not there or at no distance show nothing', () => {
    expect(tipDirection(tips(), BONE.head)).toBeNull();
    expect(tipDirection(tips([0, 0, 0]), BONE.head)).toBeNull();
  });
});
