import { describe, expect, test } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { applyCorrections, bonePositions } from '../../../../src/core/humanoid/t-pose/bone-pose.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { headingDeviation, palmDeviation } from '../../../../src/core/humanoid/t-pose/palm-and-heading.ts';
import {
  type StraightenedPose,
  straightenDeclaredPose,
} from '../../../../src/core/humanoid/t-pose/straighten-declared.ts';
import { deviationFromTPose } from '../../../../src/core/humanoid/t-pose/t-pose-chains.ts';
import { makeCharacter } from '../../../../src/demo/characters/make-character.ts';
import { VRM1_RIG } from '../../../../src/demo/characters/rigs.ts';
import type { Posture } from '../../../../src/demo/figure/posture.ts';
import { between } from '../../../../src/demo/random.ts';
import { largest, law } from '../../../laws/law.ts';
import { tPoseHumanoidWithHands } from '../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../support/near.ts';
import { aboutAxis, IDENTITY, type Quaternion, read } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const FRAME = Float64Array.from(IDENTITY);

/** A straightened humanoid: the positions of its bones, and what was done. */
function straighten({ skeleton, map }: Pick<Humanoid, 'skeleton' | 'map'>): StraightenedPose & {
  readonly positions: Float64Array;
  readonly before: Float64Array;
} {
  const pose = restModelPose(skeleton);
  const straightened = straightenDeclaredPose(skeleton, map.nodes, pose, FRAME);
  const { positions } = applyCorrections(map.nodes, pose, straightened.corrections);
  return { ...straightened, positions, before: bonePositions(pose, map.nodes, FRAME) };
}

/** The demo's VRM 1.0 in a posture. */
function posed(bindPose: Posture): Pick<Humanoid, 'skeleton' | 'map'> {
  const { skeleton, bones } = makeCharacter({ ...VRM1_RIG, bindPose });
  return { skeleton, map: { nodes: bones, confidence: new Float32Array(bones.length), from: 'vrm1' } };
}

const x = (degrees: number): Quaternion => aboutAxis([1, 0, 0], (degrees * Math.PI) / 180);
const y = (degrees: number): Quaternion => aboutAxis([0, 1, 0], (degrees * Math.PI) / 180);
const z = (degrees: number): Quaternion => aboutAxis([0, 0, 1], (degrees * Math.PI) / 180);

describe('straightenDeclaredPose', () => {
  test('changes nothing about an exact T-pose', () => {
    const { isChanged, kept, corrections } = straighten(tPoseHumanoidWithHands());
    expect([isChanged, kept]).toEqual([false, []]);
    for (const bone of [BONE.leftHand, BONE.rightLowerArm, BONE.leftFoot]) {
      expectSameRotation(read(corrections, 4 * bone, 4), IDENTITY, EXACT);
    }
  });

  test('makes arms, hands, palms, fingers, legs and feet of a nearly straight pose exactly T', () => {
    const humanoid = posed({ arms: 8, elbows: 10, palms: 18, fingers: 50, legs: 6, knees: 12 });
    const { positions, before, isChanged, kept } = straighten(humanoid);
    expect([isChanged, kept]).toEqual([true, []]);
    const { nodes } = humanoid.map;
    expect(deviationFromTPose(before, nodes).leftFingers).toBeGreaterThan(50);
    for (const degrees of Object.values(deviationFromTPose(positions, nodes))) expect(degrees).toBeLessThan(1e-5);
    for (const side of ['left', 'right'] as const) {
      expect(palmDeviation(positions, nodes)[side]).toBeLessThan(1e-5);
      expect(headingDeviation(positions, nodes)[side]).toBeLessThan(1e-5);
    }
  });

  test('keeps an arm beyond 25° with its hand as declared, reports it, and straightens the other one', () => {
    const { positions, before, kept, findings, corrections } = straighten(
      tPoseHumanoidWithHands({ leftUpperArm: { turn: z(-30) }, rightUpperArm: { turn: z(20) } }),
    );
    expect(kept).toEqual([{ part: 'leftArm', degrees: expect.closeTo(30, 9) }]);
    expect(read(positions, 3 * BONE.leftMiddleProximal, 3)).toEqual(read(before, 3 * BONE.leftMiddleProximal, 3));
    expectSameRotation(read(corrections, 4 * BONE.leftHand, 4), IDENTITY, EXACT);
    expect(positions[3 * BONE.rightHand + 1]).toBeCloseTo(1.5, 12);
    expect(findings.map(({ part }) => part)).not.toContain('leftArm');
    expect(findings.map(({ part }) => part)).toContain('rightArm');
  });

  test('keeps a palm beyond 25° as declared but straightens the direction of the hand', () => {
    const { positions, kept } = straighten(tPoseHumanoidWithHands({ leftHand: { turn: x(60) } }));
    expect(kept).toEqual([{ part: 'leftPalm', degrees: expect.closeTo(60, 9) }]);
    expect(positions[3 * BONE.leftMiddleProximal + 1]).toBeCloseTo(1.5, 12);
    const bent = straighten(tPoseHumanoidWithHands({ leftHand: { turn: z(40) } }));
    expect(bent.kept).toEqual([{ part: 'leftHand', degrees: expect.closeTo(40, 9) }]);
  });

  test('keeps legs and feet beyond 25° as declared', () => {
    const { kept } = straighten(tPoseHumanoidWithHands({ leftUpperLeg: { turn: x(-28) }, rightFoot: { turn: y(40) } }));
    expect(kept).toEqual([
      { part: 'leftLeg', degrees: expect.closeTo(28, 9) },
      { part: 'rightFoot', degrees: expect.closeTo(40, 9) },
    ]);
  });

  test('keeps trunk, head and the pitch of the feet as declared', () => {
    const { corrections } = straighten(
      tPoseHumanoidWithHands({ spine: { turn: x(4) }, head: { turn: x(-6) }, leftFoot: { turn: x(70) } }),
    );
    for (const bone of [BONE.hips, BONE.spine, BONE.head, BONE.leftFoot]) {
      expectSameRotation(read(corrections, 4 * bone, 4), IDENTITY, EXACT);
    }
  });

  law('makes arms, hands and legs exactly T or reports what stays', 1e-9, (random) => {
    const turned = (): { turn: Quaternion } => {
      const axis = [between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)];
      const length = Math.hypot(...axis);
      return {
        turn: aboutAxis(
          axis.map((c) => c / length),
          between(random, 0, 0.7),
        ),
      };
    };
    const names = ['leftUpperArm', 'leftHand', 'rightLowerArm', 'rightLowerLeg', 'leftUpperLeg'];
    const humanoid = tPoseHumanoidWithHands(Object.fromEntries(names.map((name) => [name, turned()])));
    const { positions, kept } = straighten(humanoid);
    const after = Object.entries(deviationFromTPose(positions, humanoid.map.nodes));
    return largest(
      ...after.map(([limb, degrees]) => {
        const stays = [limb, limb.replace('Hand', 'Arm')];
        return kept.some(({ part }) => stays.includes(part)) ? 0 : (degrees * Math.PI) / 180;
      }),
    );
  });
});
