import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  bonePositions,
  chooseStartPose,
  moments,
  startPose,
} from '../../../../src/core/humanoid/reference/choose-pose.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { without } from '../../../make/change-rig.ts';
import { clipOf, tBody, track } from '../../../make/tiny-humanoid.ts';
import { expectNear } from '../../../near.ts';
import { aboutAxis, IDENTITY, type Quaternion, read } from '../../../reference/plain.ts';
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

function chosen(skeleton: Skeleton, motion: Clip | null = null): string | undefined {
  return chooseStartPose(skeleton, tBody().map.nodes, motion)?.pose.from;
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

  test('is null without breadth or height, whatever the motion', () => {
    const { skeleton, map } = without(tBody(), [BONE.leftUpperLeg, BONE.rightUpperLeg]);
    expect(chooseStartPose(skeleton, map.nodes, null)).toBeNull();
    expect(chooseStartPose(skeleton, map.nodes, clipOf())).toBeNull();
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

describe('bonePositions', () => {
  test('are those of the bones, turned by the frame', () => {
    const { skeleton, map } = tBody();
    const half: Quaternion = aboutAxis([0, 1, 0], Math.PI);
    const points = bonePositions(nodePose(skeleton), map.nodes, Float64Array.from(half));
    expectNear(read(points, 3 * BONE.leftHand, 3), [-0.75, 1.5, 0], EXACT);
    expect(read(points, 3 * BONE.jaw, 3)).toEqual([0, 0, 0]);
  });
});

describe('moments', () => {
  test('are all frames of a short motion, and evenly some of a long one', () => {
    const body = tBody();
    const frames = (count: number): string[] => {
      const times = Array.from({ length: count }, (_, frame) => frame / 30);
      const clip = clipOf(
        track(
          body,
          'hips',
          'translation',
          'LINEAR',
          times,
          times.map(() => [0, 1, 0]),
        ),
      );
      return Array.from(moments(body.skeleton, clip), ({ from }) => from);
    };
    expect(frames(3)).toEqual(['frame:0', 'frame:1', 'frame:2']);
    expect(frames(100)).toHaveLength(34);
    expect(frames(100)[1]).toBe('frame:3');
    expect(frames(10_000).length).toBeLessThanOrEqual(48);
  });
});
