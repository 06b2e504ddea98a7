import { describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import {
  addGradient,
  createMovedArms,
  moveArms,
  TOUCH_UNKNOWNS,
} from '../../../../src/core/contacts/hands/moved-arms.ts';
import { trunkBoneOf } from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import {
  BONE_STRIDE,
  POSITION_OFFSET,
  sampleBoneFrames,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

/** Rotations of both arms and hands that are far from small. */
const UNKNOWNS = [0.9, -0.7, 0.4, 0.3, 0.2, -0.6, 0.8, -0.2, 1.1, 0.5, -0.1, -0.9, 0.3, 0.4];

describe('moveArms', () => {
  test('rotates upper arms, forearms and hands, and keeps their lengths', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 1, step: 0.1 });
    const moved = createMovedArms(findArms(humanoid, surface), trunkBoneOf(humanoid.map.nodes));
    moveArms(moved, bones, 0, new Float64Array(UNKNOWNS.length));
    for (const [k, value] of bones.entries()) expect(moved.bones[k]).toBeCloseTo(value, 12);
    moveArms(moved, bones, 0, Float64Array.from(UNKNOWNS));
    const at = (bone: number): number => BONE_STRIDE * bone;
    const length = (all: Float64Array, a: number, b: number): number =>
      Math.hypot(...[0, 1, 2].map((c) => all[at(a) + POSITION_OFFSET + c] - all[at(b) + POSITION_OFFSET + c]));
    const [lower, hand, finger] = [BONE.leftLowerArm, BONE.leftHand, BONE.leftMiddleDistal];
    for (const pair of [
      [BONE.leftUpperArm, lower],
      [lower, hand],
      [hand, finger],
    ]) {
      expect(length(moved.bones, pair[0], pair[1])).toBeCloseTo(length(bones, pair[0], pair[1]), 12);
    }
    expect(length(moved.bones, BONE.hips, hand)).not.toBeCloseTo(length(bones, BONE.hips, hand), 2);
    const rotation = (all: Float64Array, bone: number): number[] => [...all.subarray(at(bone), at(bone) + 4)];
    expect(rotation(moved.bones, lower)).not.toEqual(rotation(bones, lower));
    expect(rotation(moved.bones, hand)).not.toEqual(rotation(bones, hand));
    // A hand does not follow its forearm.
    moveArms(
      moved,
      bones,
      0,
      Float64Array.from(UNKNOWNS, (value, u) => (u % TOUCH_UNKNOWNS < 4 ? value : 0)),
    );
    expect(rotation(moved.bones, hand)).toEqual(rotation(bones, hand));
  });
});

describe('addGradient', () => {
  test('equals the change of positions of upper arm, forearm, hand and finger, at large rotations, and is 0 for other bones', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 1, step: 0.1 });
    const moved = createMovedArms(findArms(humanoid, surface), trunkBoneOf(humanoid.map.nodes));
    const direction = Float64Array.of(0.6, 0, -0.8);
    const joint = BONE_STRIDE * BONE.rightLowerArm + POSITION_OFFSET;
    for (const bone of [BONE.rightUpperArm, BONE.rightLowerArm, BONE.rightHand, BONE.rightMiddleDistal, BONE.hips]) {
      /** A point that is fixed to the bone, where it is with some unknowns. */
      const pointOf = (unknowns: Float64Array): Float64Array => {
        moveArms(moved, bones, 0, unknowns);
        if (bone === BONE.rightUpperArm) return moved.bones.slice(joint, joint + 3);
        const wrist = BONE_STRIDE * (bone === BONE.rightLowerArm ? BONE.rightHand : bone) + POSITION_OFFSET;
        return moved.bones.slice(wrist, wrist + 3);
      };
      const along = (unknowns: Float64Array): number =>
        pointOf(unknowns).reduce((sum, value, c) => sum + value * direction[c], 0);
      const point = pointOf(Float64Array.from(UNKNOWNS));
      const gradient = new Float64Array(UNKNOWNS.length);
      addGradient(gradient, moved, bone, point, direction, 2);
      const step = 1e-6;
      for (let c = 0; c < UNKNOWNS.length; c++) {
        const [up, down] = [step, -step].map((size) =>
          along(Float64Array.from(UNKNOWNS, (value, k) => value + (k === c ? size : 0))),
        );
        expect(gradient[c]).toBeCloseTo((2 * (up - down)) / (2 * step), 7);
      }
    }
  });
});
