import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  type PoseChoice,
  type Reference,
  type ReferenceSources,
  referenceOf,
} from '../../../../src/core/humanoid/reference/choose-reference.ts';
import { modelPose, nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { without } from '../../../make/change-rig.ts';
import { clipOf, tBody, track } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { aboutAxis, IDENTITY, read } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const LOWERED = aboutAxis([0, 0, 1], -0.8);
const body = tBody({ leftUpperArm: { turn: LOWERED } });
const { nodes } = body.map;

function declared(facing: '+Z' | '-Z'): DeclaredHumanoid {
  return { format: facing === '-Z' ? 'vrm0' : 'vrm1', nodes, facing };
}

function sources(given: Partial<ReferenceSources> = {}): ReferenceSources {
  return { declared: null, motion: null, poses: [], up: null, vertices: () => null, ...given };
}

function reference(
  choice: PoseChoice,
  {
    by = null,
    motion = null,
    skeleton = body.skeleton,
  }: { by?: DeclaredHumanoid | null; motion?: Clip | null; skeleton?: Skeleton } = {},
): Reference {
  const found = referenceOf(skeleton, nodes, choice, sources({ declared: by, motion }));
  if (typeof found === 'string') throw new Error(found);
  return found;
}

function armOf({ turned }: Reference): number[] {
  return read(turned.rotations, 4 * BONE.leftUpperArm, 4);
}

const motion = clipOf(
  track(body, 'leftUpperArm', 'rotation', 'LINEAR', [0, 1, 2], [LOWERED, aboutAxis([0, 0, 1], 0.4), LOWERED]),
);

describe('referenceOf', () => {
  test('estimates where nothing is declared', () => {
    const { kind, from, turned } = reference('auto');
    expect([kind, from]).toEqual(['estimated', 'node']);
    expectNear(read(turned.positions, 3 * BONE.leftHand, 3), [0.75, 1.5, 0], EXACT);
  });

  test('obeys a declared pose as it is, facing as the format says', () => {
    const { kind, from, frame, turned } = reference('auto', { by: declared('-Z') });
    expect([kind, from]).toEqual(['declared', 'vrm0']);
    expectSameRotation(frame, aboutAxis([0, 1, 0], Math.PI), EXACT);
    expect(turned.positions[3 * BONE.leftUpperArm]).toBeCloseTo(-0.2, 12);
    const plusZ = reference('declared', { by: declared('+Z') });
    expectSameRotation(plusZ.frame, IDENTITY, EXACT);
    expectSameRotation(armOf(plusZ), LOWERED, EXACT);
  });

  test('takes the node pose as it is when it is asked for', () => {
    const { kind, from, shape, ...rest } = reference('node');
    expect([kind, from, shape]).toEqual(['node', 'node', null]);
    expectSameRotation(armOf({ kind, from, shape, ...rest }), LOWERED, EXACT);
  });

  test('keeps the declared facing of a pose that is asked for', () => {
    expectSameRotation(reference('node', { by: declared('-Z') }).frame, aboutAxis([0, 1, 0], Math.PI), EXACT);
  });

  test('takes the bind pose, and remembers its shape', () => {
    const bind = new Float64Array(16 * body.skeleton.parents.length);
    const local = Float64Array.from(tBody().skeleton.rest);
    localToModelMatrices(bind, body.skeleton.parents, local);
    const found = reference('bind', { skeleton: { ...body.skeleton, bind } });
    expect([found.kind, found.from]).toEqual(['bind', 'bind']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
    expectNear(found.shape!, local, EXACT);
  });

  test('takes a frame of the motion', () => {
    const found = reference({ frame: 1 }, { motion });
    expect([found.kind, found.from]).toEqual(['frame', 'frame:1']);
    expectSameRotation(armOf(found), aboutAxis([0, 0, 1], 0.4), EXACT);
  });

  test('takes a pose of the caller’s', () => {
    const given = modelPose('rest.glb', body.skeleton.parents, Float64Array.from(tBody().skeleton.rest));
    const found = reference(given);
    expect([found.kind, found.from]).toEqual(['given', 'rest.glb']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
  });

  test.each([
    ['bind', null, /no skin of it has bind matrices/],
    ['declared', null, /its format declares none/],
    [{ frame: 3 }, motion, /^frame 3 was asked for .* has 3 frames/],
    [{ frame: -1 }, motion, /^frame -1 was asked for .* has 3 frames/],
    [{ frame: 0.5 }, motion, /^frame 0.5 was asked for/],
    [{ frame: 0 }, null, /its motion has 0 frames/],
  ] as [PoseChoice, Clip | null, RegExp][])('says why %o is not there', (choice, clip, reason) => {
    expect(referenceOf(body.skeleton, nodes, choice, sources({ motion: clip }))).toMatch(reason);
  });

  test('says that a body has no front', () => {
    const { leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes } = BONE;
    const lines = [leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes];
    const flat = without(body, lines).map.nodes;
    expect(referenceOf(body.skeleton, flat, 'auto', sources())).toMatch(/no breadth or height/);
  });

  test('takes the axes of the file for a chosen pose that shows no front', () => {
    const { leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes } = BONE;
    const lines = [leftUpperLeg, rightUpperLeg, leftUpperArm, rightUpperArm, leftToes, rightToes];
    const flat = without(body, lines).map.nodes;
    const frameOf = (up: number[] | null): number[] => {
      const found = referenceOf(body.skeleton, flat, nodePose(body.skeleton), sources({ up }));
      if (typeof found === 'string') throw new Error(found);
      expect(found.issues.map(({ code }) => code)).toEqual(['FACING_GUESSED']);
      return [...found.frame];
    };
    expectSameRotation(frameOf(null), IDENTITY, EXACT);
    expectSameRotation(frameOf([0, 1, 0]), IDENTITY, EXACT);
    expectSameRotation(frameOf([0, 0, 1]), aboutAxis([1, 0, 0], -Math.PI / 2), EXACT);
  });

  test('puts a pose of the caller’s through the estimator where it is only the start', () => {
    const start = nodePose(body.skeleton);
    const found = reference({ start: { ...start, from: 'other.fbx' } });
    expect([found.kind, found.from]).toEqual(['estimated', 'other.fbx']);
    expectSameRotation(armOf(found), IDENTITY, EXACT);
    expect(found.findings?.some(({ part }) => part === 'leftArm')).toBe(true);
    expect(reference('node').findings).toBeNull();
  });

  test('seats a body in the middle of a jump on the ground that its motion shows', () => {
    const tucked = aboutAxis([1, 0, 0], -1.2);
    const jumping = tBody({ hips: { at: [0, 2, 0] }, leftUpperLeg: { turn: tucked }, rightUpperLeg: { turn: tucked } });
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
    const start = { start: nodePose(jumping.skeleton) };
    const { turned } = reference(start, { skeleton: jumping.skeleton, motion: landing });
    expect(turned.positions[3 * BONE.leftToes + 1]).toBeCloseTo(0.02, 12);
  });

  test('puts the lowest foot of an estimated pose back to its height', () => {
    const crouching = tBody({
      leftUpperLeg: { turn: aboutAxis([1, 0, 0], -1) },
      leftLowerLeg: { turn: aboutAxis([1, 0, 0], 1) },
      rightUpperLeg: { turn: aboutAxis([1, 0, 0], -1) },
      rightLowerLeg: { turn: aboutAxis([1, 0, 0], 1) },
    });
    const { turned } = reference('auto', { skeleton: crouching.skeleton });
    const toes = crouching.reference.positions[3 * BONE.leftToes + 1];
    expect(turned.positions[3 * BONE.leftToes + 1]).toBeCloseTo(toes, 12);
    expect(turned.positions[1]).toBeCloseTo(toes + 0.98, 12);
  });
});
