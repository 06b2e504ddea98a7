import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  chooseStartPose,
  createStartPose,
  legDeviation,
} from '../../../../src/core/humanoid/t-pose/choose-start-pose.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { without } from '../../../support/make/change-rig.ts';
import { clipOf, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, IDENTITY } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const down = (angle: number): Humanoid =>
  tPoseHumanoid({
    leftUpperArm: { turn: aboutAxis([0, 0, 1], -angle) },
    rightUpperArm: { turn: aboutAxis([0, 0, 1], angle) },
  });

/** The skeleton of a humanoid, bound in the rest pose of another one. */
function bound({ skeleton }: Humanoid, as: Humanoid): Skeleton {
  const bind = new Float64Array(16 * skeleton.parents.length);
  localToModelMatrices(bind, skeleton.parents, Float64Array.from(as.skeleton.rest));
  return { ...skeleton, bind };
}

function chosen(
  skeleton: Skeleton,
  motion: Clip | null = null,
  poses: readonly Clip[] = [],
  up: readonly number[] | null = null,
  isBound = true,
): string | undefined {
  const sources = { motion, poses, zeroPose: null, up, isBound: () => isBound };
  return chooseStartPose(skeleton, tPoseHumanoid().map.nodes, sources)?.pose.from;
}

/** A motion of two frames with both arms at an angle. */
function armsAt(body: Humanoid, angle: number): Clip {
  const left = aboutAxis([0, 0, 1], -angle);
  const right = aboutAxis([0, 0, 1], angle);
  return clipOf(
    track(body, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [left, left]),
    track(body, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [right, right]),
  );
}

const FRONT_BONES = (
  ['leftUpperLeg', 'rightUpperLeg', 'leftUpperArm', 'rightUpperArm', 'leftToes', 'rightToes'] as const
).map((name) => BONE[name]);

/** A humanoid with one leg in front and one behind. */
const stepping = (angle: number): Humanoid =>
  tPoseHumanoid({
    leftUpperLeg: { turn: aboutAxis([1, 0, 0], -angle) },
    rightUpperLeg: { turn: aboutAxis([1, 0, 0], angle) },
  });

/** Both legs swing from front to back and to the front again. */
function walk(body: Humanoid, angle: number): Clip {
  const front = aboutAxis([1, 0, 0], -angle);
  const back = aboutAxis([1, 0, 0], angle);
  return clipOf(
    track(body, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1, 2, 3], [front, back, front, back]),
    track(body, 'rightUpperLeg', 'rotation', 'LINEAR', [0, 1, 2, 3], [back, front, back, front]),
  );
}

describe('chooseStartPose', () => {
  test('chooses the pose closer to a T-pose', () => {
    expect(chosen(bound(tPoseHumanoid(), down(1)))).toBe('node');
    expect(chosen(bound(down(1), tPoseHumanoid()))).toBe('bind');
    expect(chosen(down(1).skeleton)).toBe('node');
  });

  test('chooses the bind pose when bind and node pose are about equal', () => {
    expect(chosen(bound(tPoseHumanoid(), tPoseHumanoid()))).toBe('bind');
    expect(chosen(bound(down(0.5), down(0.505)))).toBe('bind');
  });

  test('chooses the first frame of the motion only when it is much closer to a T-pose', () => {
    expect(chosen(down(1).skeleton, armsAt(down(1), 0))).toBe('frame:0');
    expect(chosen(down(1).skeleton, armsAt(down(1), 0.9))).toBe('node');
    expect(chosen(tPoseHumanoid().skeleton, armsAt(tPoseHumanoid(), 0))).toBe('node');
  });

  test('keeps a pose at rest where the first frame is nearer to a T-pose, but in motion', () => {
    const reach = (body: Humanoid): Clip => {
      const [left, right] = [aboutAxis([0, 0, 1], 0.1), aboutAxis([0, 0, 1], 0.8)];
      return clipOf(
        track(body, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [left, left]),
        track(body, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [right, right]),
      );
    };
    const lowered = down(1);
    expect(chosen(lowered.skeleton, reach(lowered))).toBe('node');
    expect(chosen(bound(lowered, lowered), reach(lowered))).toBe('bind');
  });

  const onItsBack = { hips: { turn: aboutAxis([1, 0, 0], -Math.PI / 2) } };

  /** A motion in which the character stands upright with lowered arms. */
  const standing = (body: Humanoid): Clip =>
    clipOf(track(body, 'hips', 'rotation', 'LINEAR', [0, 1], [IDENTITY, IDENTITY]), ...armsAt(body, 1.2).tracks);

  test('stands a lying pose at rest up when the character is upright in its motion', () => {
    const { skeleton, map, ...lying } = tPoseHumanoid(onItsBack);
    const motion = standing({ skeleton, map, ...lying });
    const sources = { motion, poses: [], zeroPose: null, up: null, isBound: () => false };
    const start = chooseStartPose(skeleton, map.nodes, sources);
    expect(start).toMatchObject({ pose: { from: 'node' }, kind: 'lying' });
    expect(start?.error).toBeLessThan(EXACT);
    expectSameRotation(start?.fileFrame ?? [], IDENTITY, EXACT);
    expect(chosen(skeleton)).toBe('node');
  });

  test('prefers a standing pose at rest to a lying one, because it shows the front', () => {
    const lying = tPoseHumanoid(onItsBack);
    const { skeleton, map } = down(0.6);
    const rig = bound({ ...lying, skeleton }, lying);
    const sources = { motion: standing(lying), poses: [], zeroPose: null, up: null, isBound: () => true };
    expect(chooseStartPose(rig, map.nodes, sources)).toMatchObject({ pose: { from: 'node' }, kind: 'rest' });
  });

  test('skips a lying pose in motion when the character is upright in its motion', () => {
    const swinging = tPoseHumanoid({
      ...onItsBack,
      leftUpperLeg: { turn: aboutAxis([1, 0, 0], -0.7) },
      rightUpperLeg: { turn: aboutAxis([1, 0, 0], 0.7) },
    });
    const straight = [IDENTITY, IDENTITY];
    const motion = clipOf(
      ...standing(swinging).tracks,
      track(swinging, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1], straight),
      track(swinging, 'rightUpperLeg', 'rotation', 'LINEAR', [0, 1], straight),
    );
    expect(chosen(swinging.skeleton, motion)).toBe('frame:0');
  });

  test('keeps a pose that stands along the up axis of the file, or +Y without one, when the motion is one of lying', () => {
    const standing = bound(tPoseHumanoid(), tPoseHumanoid());
    const onBack = aboutAxis([1, 0, 0], -Math.PI / 2);
    const lying = clipOf(
      track(tPoseHumanoid(), 'hips', 'rotation', 'LINEAR', [0, 1], [onBack, onBack]),
      ...armsAt(tPoseHumanoid(), 1.2).tracks,
    );
    const kindWith = (up: readonly number[] | null) =>
      chooseStartPose(standing, tPoseHumanoid().map.nodes, {
        motion: lying,
        poses: [],
        zeroPose: null,
        up,
        isBound: () => true,
      })?.kind;
    expect([kindWith([0, 1, 0]), kindWith([0, 0, 1]), kindWith(null)]).toEqual(['rest', 'lying', 'rest']);
  });

  test('chooses a single-pose clip only when it is closer to a T-pose than bind and node pose', () => {
    const stored = { ...armsAt(down(1), 0), name: 'T-Pose' };
    expect(chosen(down(1).skeleton, null, [stored])).toBe('T-Pose');
    expect(chosen(tPoseHumanoid().skeleton, null, [stored])).toBe('node');
  });

  test('replaces a step by the mean pose of the motion when its legs are straighter', () => {
    const step = stepping(0.7);
    expect(chosen(step.skeleton, walk(step, 0.7))).toBe('mean pose of the motion');
    expect(chosen(step.skeleton, null)).toBe('node');
    expect(chosen(stepping(0.2).skeleton, walk(step, 0.2))).toBe('node');
    expect(chosen(bound(step, step), walk(step, 0.7))).toBe('bind');
  });

  test('takes the bind pose for one that a program wrote where it is not symmetric and no mesh is bound', () => {
    const step = stepping(0.7);
    expect(chosen(bound(step, step), walk(step, 0.7), [], null, false)).toBe('mean pose of the motion');
    expect(chosen(bound(step, tPoseHumanoid()), walk(step, 0.7), [], null, false)).toBe('bind');
    // People bind characters with their legs apart.
    const wide = tPoseHumanoid({
      leftUpperLeg: { turn: aboutAxis([0, 0, 1], 0.5) },
      rightUpperLeg: { turn: aboutAxis([0, 0, 1], -0.5) },
    });
    expect(chosen(bound(step, wide), walk(step, 0.7), [], null, false)).toBe('bind');
  });

  test('replaces a step by the pose of the joints without rotation, unless that is no pose at rest either', () => {
    const step = stepping(0.7);
    const motion = walk(step, 0.7);
    const start = (zero: Humanoid) =>
      chooseStartPose(step.skeleton, step.map.nodes, {
        motion,
        poses: [],
        zeroPose: restModelPose(zero.skeleton),
        up: null,
        isBound: () => true,
      });
    const atRest = start(tPoseHumanoid());
    expect(atRest).toMatchObject({ pose: { from: 'node' }, kind: 'unrotated' });
    expect(atRest?.error).toBeLessThan(EXACT);
    expect(start(stepping(0.6))).toMatchObject({ pose: { from: 'mean pose of the motion' }, kind: 'moving' });
  });

  test('believes the pose of the joints without rotation that stands along the up axis of the file when the motion is one of lying', () => {
    const onBack = aboutAxis([1, 0, 0], -Math.PI / 2);
    const step = tPoseHumanoid({
      hips: { turn: onBack },
      leftUpperLeg: { turn: aboutAxis([1, 0, 0], -0.7) },
      rightUpperLeg: { turn: aboutAxis([1, 0, 0], 0.7) },
    });
    const motion = clipOf(
      track(step, 'hips', 'rotation', 'LINEAR', [0, 1], [onBack, onBack]),
      ...walk(step, 0.7).tracks,
    );
    const zeroPose = restModelPose(tPoseHumanoid().skeleton);
    const kindWith = (up: readonly number[]) =>
      chooseStartPose(step.skeleton, step.map.nodes, { motion, poses: [], zeroPose, up, isBound: () => true })?.kind;
    expect([kindWith([0, 1, 0]), kindWith([0, 0, 1])]).toEqual(['unrotated', 'moving']);
  });

  test('keeps a pose at rest, whatever the joints without rotation show', () => {
    const { skeleton, map } = down(0.6);
    const zeroPose = restModelPose(tPoseHumanoid().skeleton);
    const motion = armsAt(down(0.6), 0.6);
    expect(
      chooseStartPose(skeleton, map.nodes, { motion, poses: [], zeroPose, up: null, isBound: () => true })?.kind,
    ).toBe('rest');
  });

  test('returns null without breadth or height, with or without a motion', () => {
    const { skeleton, map } = without(tPoseHumanoid(), FRONT_BONES);
    expect(
      chooseStartPose(skeleton, map.nodes, { motion: null, poses: [], zeroPose: null, up: null, isBound: () => true }),
    ).toBeNull();
    expect(
      chooseStartPose(skeleton, map.nodes, {
        motion: clipOf(),
        poses: [clipOf()],
        zeroPose: null,
        up: null,
        isBound: () => true,
      }),
    ).toBeNull();
  });
});

describe('createStartPose', () => {
  test('returns the frame of the pose and its distance from a T-pose', () => {
    const { skeleton, map } = down(0.6);
    const start = createStartPose(restModelPose(skeleton), map.nodes)!;
    expect(start.error).toBeCloseTo((0.6 + 0.6) / 5, 12);
    expectNear(start.frame.rotation, IDENTITY, EXACT);
  });
});

describe('legDeviation', () => {
  test('returns the angle of the worse leg', () => {
    const { skeleton, map } = stepping(0.5);
    expect(legDeviation(createStartPose(restModelPose(skeleton), map.nodes)!, map.nodes)).toBeCloseTo(
      (0.5 * 180) / Math.PI,
      10,
    );
  });
});
