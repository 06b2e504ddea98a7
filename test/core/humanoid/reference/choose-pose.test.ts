import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { chooseStartPose, startPose, strideOf } from '../../../../src/core/humanoid/reference/choose-pose.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { without } from '../../../make/change-rig.ts';
import { clipOf, tBody, track } from '../../../make/tiny-humanoid.ts';
import { expectNear } from '../../../near.ts';
import { aboutAxis, IDENTITY } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const down = (angle: number): Humanoid =>
  tBody({
    leftUpperArm: { turn: aboutAxis([0, 0, 1], -angle) },
    rightUpperArm: { turn: aboutAxis([0, 0, 1], angle) },
  });

/** The skeleton of a body, bound in the pose in which another one rests. */
function bound({ skeleton }: Humanoid, as: Humanoid): Skeleton {
  const bind = new Float64Array(16 * skeleton.parents.length);
  localToModelMatrices(bind, skeleton.parents, Float64Array.from(as.skeleton.rest));
  return { ...skeleton, bind };
}

function chosen(skeleton: Skeleton, motion: Clip | null = null, poses: readonly Clip[] = []): string | undefined {
  return chooseStartPose(skeleton, tBody().map.nodes, { motion, poses })?.pose.from;
}

/** A motion of two frames that puts both arms at an angle. */
function armsAt(body: Humanoid, angle: number): Clip {
  const left = aboutAxis([0, 0, 1], -angle);
  const right = aboutAxis([0, 0, 1], angle);
  return clipOf(
    track(body, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [left, left]),
    track(body, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [right, right]),
  );
}

const WHAT_SHOWS_THE_FRONT = (
  ['leftUpperLeg', 'rightUpperLeg', 'leftUpperArm', 'rightUpperArm', 'leftToes', 'rightToes'] as const
).map((name) => BONE[name]);

/** A body with one leg in front and one behind. */
const stepping = (angle: number): Humanoid =>
  tBody({
    leftUpperLeg: { turn: aboutAxis([1, 0, 0], -angle) },
    rightUpperLeg: { turn: aboutAxis([1, 0, 0], angle) },
  });

/** Both legs go from the front to the back and again to the front. */
function walk(body: Humanoid, angle: number): Clip {
  const front = aboutAxis([1, 0, 0], -angle);
  const back = aboutAxis([1, 0, 0], angle);
  return clipOf(
    track(body, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1, 2, 3], [front, back, front, back]),
    track(body, 'rightUpperLeg', 'rotation', 'LINEAR', [0, 1, 2, 3], [back, front, back, front]),
  );
}

describe('chooseStartPose', () => {
  test('takes the pose that is nearer to a T', () => {
    expect(chosen(bound(tBody(), down(1)))).toBe('node');
    expect(chosen(bound(down(1), tBody()))).toBe('bind');
    expect(chosen(down(1).skeleton)).toBe('node');
  });

  test('takes the bind pose where both are about equal', () => {
    expect(chosen(bound(tBody(), tBody()))).toBe('bind');
    expect(chosen(bound(down(0.5), down(0.505)))).toBe('bind');
  });

  test('takes the first frame of the motion only where it is far better', () => {
    expect(chosen(down(1).skeleton, armsAt(down(1), 0))).toBe('frame:0');
    expect(chosen(down(1).skeleton, armsAt(down(1), 0.9))).toBe('node');
    expect(chosen(tBody().skeleton, armsAt(tBody(), 0))).toBe('node');
  });

  test('passes over a pose that lies while the motion stands', () => {
    const lying = tBody({ hips: { turn: aboutAxis([1, 0, 0], -Math.PI / 2) } });
    const standing = clipOf(
      track(lying, 'hips', 'rotation', 'LINEAR', [0, 1], [IDENTITY, IDENTITY]),
      ...armsAt(lying, 1.2).tracks,
    );
    expect(chosen(lying.skeleton, standing)).toBe('frame:0');
    expect(chosen(lying.skeleton)).toBe('node');
  });

  test('takes a clip that holds a pose where that is nearer to a T, not where bind and node are as good', () => {
    const held = { ...armsAt(down(1), 0), name: 'T-Pose' };
    expect(chosen(down(1).skeleton, null, [held])).toBe('T-Pose');
    expect(chosen(tBody().skeleton, null, [held])).toBe('node');
  });

  test('takes the mean of the motion in place of a step, where that stands better', () => {
    const step = stepping(0.7);
    expect(chosen(step.skeleton, walk(step, 0.7))).toBe('mean pose of the motion');
    expect(chosen(step.skeleton, null)).toBe('node');
    expect(chosen(stepping(0.2).skeleton, walk(step, 0.2))).toBe('node');
    expect(chosen(bound(step, step), walk(step, 0.7))).toBe('bind');
  });

  test('is null without breadth or height, whatever the motion', () => {
    const { skeleton, map } = without(tBody(), WHAT_SHOWS_THE_FRONT);
    expect(chooseStartPose(skeleton, map.nodes, { motion: null, poses: [] })).toBeNull();
    expect(chooseStartPose(skeleton, map.nodes, { motion: clipOf(), poses: [clipOf()] })).toBeNull();
  });
});

describe('startPose', () => {
  test('has the frame of the pose and its distance from a T', () => {
    const { skeleton, map } = down(0.6);
    const start = startPose(nodePose(skeleton), map.nodes)!;
    expect(start.error).toBeCloseTo((0.6 + 0.6) / 5, 12);
    expectNear(start.frame.rotation, IDENTITY, EXACT);
  });
});

describe('strideOf', () => {
  test('is the angle of the leg that is further from its place', () => {
    const { skeleton, map } = stepping(0.5);
    expect(strideOf(startPose(nodePose(skeleton), map.nodes)!, map.nodes)).toBeCloseTo((0.5 * 180) / Math.PI, 10);
  });
});
