import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  type FileReferencePose,
  findReferencePose,
  type PoseChoice,
  type ReferenceSources,
} from '../../../../src/core/humanoid/t-pose/find-reference-pose.ts';
import { restModelPose, toModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { without } from '../../../support/make/change-rig.ts';
import { clipOf, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, IDENTITY, read } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const LOWERED = aboutAxis([0, 0, 1], -0.8);
const SLIGHTLY_LOWERED = aboutAxis([0, 0, 1], -0.3);
const body = tPoseHumanoid({ leftUpperArm: { turn: LOWERED } });
const { nodes } = body.map;

function declared(facing: '+Z' | '-Z'): DeclaredHumanoid {
  return { format: facing === '-Z' ? 'vrm0' : 'vrm1', nodes, facing };
}

function sources(given: Partial<ReferenceSources> = {}): ReferenceSources {
  return {
    declared: null,
    motion: null,
    poses: [],
    zeroPose: null,
    up: null,
    vertices: () => null,
    isBound: () => true,
    ...given,
  };
}

function reference(
  choice: PoseChoice,
  {
    by = null,
    motion = null,
    skeleton = body.skeleton,
  }: { by?: DeclaredHumanoid | null; motion?: Clip | null; skeleton?: Skeleton } = {},
): FileReferencePose {
  const found = findReferencePose(skeleton, nodes, choice, sources({ declared: by, motion }));
  if (typeof found === 'string') throw new Error(found);
  return found;
}

function armOf({ pose }: FileReferencePose): number[] {
  return read(pose.rotations, 4 * BONE.leftUpperArm, 4);
}

const motion = clipOf(
  track(body, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1, 2], [LOWERED, aboutAxis([0, 0, 1], 0.4), LOWERED]),
);

describe('findReferencePose', () => {
  test('estimates the pose when no pose is declared', () => {
    const { kind, from, pose } = reference('auto');
    expect([kind, from]).toEqual(['estimated', 'node']);
    expectNear(read(pose.positions, 3 * BONE.leftHand, 3), [0.75, 1.5, 0], EXACT);
  });

  test('keeps the front of the pose at rest, whichever way an actor faces in a T-pose', () => {
    const lowered = tPoseHumanoid({
      leftUpperArm: { turn: LOWERED },
      rightUpperArm: { turn: aboutAxis([0, 0, 1], 0.8) },
    });
    const takes = [0, 0.2, 2.5, Math.PI].map((yaw) => {
      const turned = aboutAxis([0, 1, 0], yaw);
      const take = clipOf(
        track(lowered, 'hips', 'rotation', 'LINEAR', [0, 1], [turned, turned]),
        track(lowered, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, LOWERED]),
        track(lowered, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, LOWERED]),
      );
      return reference('auto', { motion: take, skeleton: lowered.skeleton });
    });
    for (const { from, frame, pose } of takes) {
      expect(from).toBe('frame:0');
      expectSameRotation(frame, IDENTITY, EXACT);
      expectSameRotation(armOf({ ...takes[0], pose }), armOf(takes[0]), EXACT);
    }
  });

  test('keeps the place of the pose at rest, wherever an actor takes a T-pose', () => {
    const lowered = tPoseHumanoid({
      leftUpperArm: { turn: LOWERED },
      rightUpperArm: { turn: aboutAxis([0, 0, 1], 0.8) },
    });
    const place = ([x, z]: readonly [number, number]): number[] => {
      const take = clipOf(
        track(
          lowered,
          'hips',
          'translation',
          'LINEAR',
          [0, 1],
          [
            [x, 1, z],
            [x, 1, z],
          ],
        ),
        track(lowered, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, LOWERED]),
        track(lowered, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, LOWERED]),
      );
      const { from, pose } = reference('auto', { motion: take, skeleton: lowered.skeleton });
      expect(from).toBe('frame:0');
      return read(pose.positions, 3 * BONE.hips, 3);
    };
    expectNear(place([3, -2]), place([0, 0]), EXACT);
  });

  test('keeps the place of a rig that lies at rest, such as one made with Z up, where it stands up', () => {
    const zUp = tPoseHumanoid({ hips: { at: [0.3, -0.2, 1], turn: aboutAxis([1, 0, 0], Math.PI / 2) } });
    const arms = [
      track(zUp, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [LOWERED, LOWERED]),
      track(zUp, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [aboutAxis([0, 0, 1], 0.8), aboutAxis([0, 0, 1], 0.8)]),
    ];
    const standing = [
      track(zUp, 'hips', 'rotation', 'LINEAR', [0, 1], [IDENTITY, IDENTITY]),
      track(
        zUp,
        'hips',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [2, 1, 3],
          [2, 1, 4],
        ],
      ),
    ];
    const { from, pose } = reference('auto', { motion: clipOf(...standing, ...arms), skeleton: zUp.skeleton });
    expect(from).toBe('node');
    expectNear(read(pose.positions, 3 * BONE.hips, 3), [0.3, 1, 0.2], EXACT);
  });

  test('takes front and up of a T-pose in the first frame where the pose at rest stands along another axis', () => {
    const lowered = tPoseHumanoid({
      leftUpperArm: { turn: LOWERED },
      rightUpperArm: { turn: aboutAxis([0, 0, 1], 0.8) },
    });
    const upright = aboutAxis([1, 0, 0], Math.PI / 2);
    const take = clipOf(
      track(lowered, 'hips', 'rotation', 'LINEAR', [0, 1], [upright, upright]),
      track(lowered, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, IDENTITY]),
      track(lowered, 'rightUpperArm', 'rotation', 'LINEAR', [0, 1], [IDENTITY, IDENTITY]),
    );
    const found = findReferencePose(
      lowered.skeleton,
      nodes,
      'auto',
      sources({ motion: take, up: [0, 0, 1] }),
    ) as FileReferencePose;
    expect(found.from).toBe('frame:0');
    expectSameRotation(found.frame, aboutAxis([1, 0, 0], -Math.PI / 2), EXACT);
  });

  test('uses a declared pose far from a T-pose as it is, with the declared facing, and reports it', () => {
    const { kind, from, frame, pose, asDeclared, issues } = reference('auto', { by: declared('-Z') });
    expect([kind, from, asDeclared]).toEqual(['declared', 'vrm0', null]);
    expect(issues.map(({ code }) => code)).toEqual(['DECLARED_POSE_NOT_T']);
    const plus = reference('auto', { by: declared('+Z') });
    expect([plus.kind, plus.asDeclared]).toEqual(['declared', null]);
    expect(plus.issues[0].message).toContain('(leftArm by 45.8°; expected at most 25°)');
    expectSameRotation(frame, aboutAxis([0, 1, 0], Math.PI), EXACT);
    expect(pose.positions[3 * BONE.leftUpperArm]).toBeCloseTo(-0.2, 12);
    const plusZ = reference('declared', { by: declared('+Z') });
    expectSameRotation(plusZ.frame, IDENTITY, EXACT);
    expectSameRotation(armOf(plusZ), LOWERED, EXACT);
  });

  test('straightens a declared pose near a T-pose and keeps the declared one beside it', () => {
    const near = tPoseHumanoid({ leftUpperArm: { turn: SLIGHTLY_LOWERED } }).skeleton;
    for (const format of ['vrm1', 'vrma', 'khr'] as const) {
      const by = { ...declared('+Z'), format };
      const { kind, from, frame, pose, asDeclared, issues } = reference('auto', { by, skeleton: near });
      expect([kind, from, issues]).toEqual(['estimated', by.format, []]);
      expectSameRotation(frame, IDENTITY, EXACT);
      expectNear(read(pose.positions, 3 * BONE.leftHand, 3), [0.75, 1.5, 0], EXACT);
      expect([asDeclared!.kind, asDeclared!.from]).toEqual(['declared', by.format]);
      expect(asDeclared!.pose.positions[3 * BONE.leftHand + 1]).toBeCloseTo(1.5 - 0.55 * Math.sin(0.3), 12);
    }
  });

  test('uses a declared pose near a T-pose as it is for EXT_skeleton_humanoid and when requested', () => {
    const near = tPoseHumanoid({ leftUpperArm: { turn: SLIGHTLY_LOWERED } }).skeleton;
    const ext = { ...declared('+Z'), format: 'ext' as const };
    for (const found of [
      reference('auto', { by: ext, skeleton: near }),
      reference('declared', { by: declared('+Z'), skeleton: near }),
    ]) {
      expect([found.kind, found.asDeclared, found.issues]).toEqual(['declared', null, []]);
      expectSameRotation(armOf(found), SLIGHTLY_LOWERED, EXACT);
    }
  });

  test('uses a declared exact T-pose as it is', () => {
    const { kind, asDeclared } = reference('auto', { by: declared('+Z'), skeleton: tPoseHumanoid().skeleton });
    expect([kind, asDeclared]).toEqual(['declared', null]);
  });

  test('uses a requested node pose as it is', () => {
    const { kind, from, basePose, ...rest } = reference('node');
    expect([kind, from, basePose]).toEqual(['node', 'node', null]);
    expectSameRotation(armOf({ kind, from, basePose, ...rest }), LOWERED, EXACT);
  });

  test('keeps the declared facing for a requested pose', () => {
    expectSameRotation(reference('node', { by: declared('-Z') }).frame, aboutAxis([0, 1, 0], Math.PI), EXACT);
  });

  test('uses a requested bind pose and returns it as the base pose', () => {
    const bind = new Float64Array(16 * body.skeleton.parents.length);
    const local = Float64Array.from(tPoseHumanoid().skeleton.rest);
    localToModelMatrices(bind, body.skeleton.parents, local);
    const found = reference('bind', { skeleton: { ...body.skeleton, bind } });
    expect([found.kind, found.from]).toEqual(['bind', 'bind']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
    expectNear(found.basePose!, local, EXACT);
  });

  test('uses a requested frame of the motion', () => {
    const found = reference({ frame: 1 }, { motion });
    expect([found.kind, found.from]).toEqual(['frame', 'frame:1']);
    expectSameRotation(armOf(found), aboutAxis([0, 0, 1], 0.4), EXACT);
  });

  test('uses a user-supplied pose as it is', () => {
    const given = toModelPose('rest.glb', body.skeleton.parents, Float64Array.from(tPoseHumanoid().skeleton.rest));
    const found = reference(given);
    expect([found.kind, found.from]).toEqual(['given', 'rest.glb']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
  });

  test.each([
    ['bind', null, /none of its skins has bind matrices/],
    ['declared', null, /its format declares none/],
    [{ frame: 3 }, motion, /^frame 3 was requested .* has 3 frames/],
    [{ frame: -1 }, motion, /^frame -1 was requested .* has 3 frames/],
    [{ frame: 0.5 }, motion, /^frame 0.5 was requested/],
    [{ frame: 0 }, null, /its motion has 0 frames/],
  ] as [PoseChoice, Clip | null, RegExp][])('returns the reason why %o does not exist', (choice, clip, reason) => {
    expect(findReferencePose(body.skeleton, nodes, choice, sources({ motion: clip }))).toMatch(reason);
  });

  test('returns a reason when hips and shoulders show no front', () => {
    const { leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes } = BONE;
    const lines = [leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes];
    const flat = without(body, lines).map.nodes;
    expect(findReferencePose(body.skeleton, flat, 'auto', sources())).toMatch(/no breadth or height/);
  });

  test('uses the up axis of the file for a requested pose without a front', () => {
    const { leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes } = BONE;
    const lines = [leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes];
    const flat = without(body, lines).map.nodes;
    const frameOf = (up: number[] | null): number[] => {
      const found = findReferencePose(body.skeleton, flat, restModelPose(body.skeleton), sources({ up }));
      if (typeof found === 'string') throw new Error(found);
      expect(found.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
      return [...found.frame];
    };
    expectSameRotation(frameOf(null), IDENTITY, EXACT);
    expectSameRotation(frameOf([0, 1, 0]), IDENTITY, EXACT);
    expectSameRotation(frameOf([0, 0, 1]), aboutAxis([1, 0, 0], -Math.PI / 2), EXACT);
  });

  test('corrects a user-supplied start pose with the estimator', () => {
    const start = restModelPose(body.skeleton);
    const found = reference({ start: { ...start, from: 'other.fbx' } });
    expect([found.kind, found.from]).toEqual(['estimated', 'other.fbx']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
    expect(found.findings?.some(({ part }) => part === 'leftArm')).toBe(true);
    expect(reference('node').findings).toBeNull();
  });

  test('moves a pose in the middle of a jump onto the ground of its motion', () => {
    const tucked = aboutAxis([1, 0, 0], -1.2);
    const jumping = tPoseHumanoid({
      hips: { at: [0, 2, 0] },
      leftUpperLeg: { turn: tucked },
      rightUpperLeg: { turn: tucked },
    });
    const straight = [IDENTITY, IDENTITY, IDENTITY];
    const landing = clipOf(
      track(
        jumping,
        'hips',
        'translation',
        'LINEAR',
        [0, 1, 2],
        [
          [0, 2, 0],
          [0, 1, 0],
          [0, 1, 0],
        ],
      ),
      track(jumping, 'leftUpperLeg', 'rotation', 'LINEAR', [0, 1, 2], [tucked, ...straight.slice(1)]),
      track(jumping, 'rightUpperLeg', 'rotation', 'LINEAR', [0, 1, 2], [tucked, ...straight.slice(1)]),
    );
    const start = { start: restModelPose(jumping.skeleton) };
    const { pose } = reference(start, { skeleton: jumping.skeleton, motion: landing });
    expect(pose.positions[3 * BONE.leftToes + 1]).toBeCloseTo(0.02, 12);
  });

  test('keeps the height of the lowest foot in an estimated pose', () => {
    const crouching = tPoseHumanoid({
      leftUpperLeg: { turn: aboutAxis([1, 0, 0], -1) },
      leftLowerLeg: { turn: aboutAxis([1, 0, 0], 1) },
      rightUpperLeg: { turn: aboutAxis([1, 0, 0], -1) },
      rightLowerLeg: { turn: aboutAxis([1, 0, 0], 1) },
    });
    const { pose } = reference('auto', { skeleton: crouching.skeleton });
    const toes = crouching.reference.positions[3 * BONE.leftToes + 1];
    expect(pose.positions[3 * BONE.leftToes + 1]).toBeCloseTo(toes, 12);
    expect(pose.positions[1]).toBeCloseTo(toes + 0.98, 12);
  });
});
