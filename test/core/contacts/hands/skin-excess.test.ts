import { beforeAll, describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { type ArmSkin, findArmSkin, skinExcess } from '../../../../src/core/contacts/hands/skin-excess.ts';
import {
  BONE_STRIDE,
  POSITION_OFFSET,
  referenceBoneFrame,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { type Arm, findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { BONE, BONES, isFingerBone } from '../../../../src/core/humanoid/bones.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

let adult: DemoBody;
let arm: Arm;
let parts: ReturnType<typeof findParts>;
let bones: Float64Array;
let skin: ArmSkin;

beforeAll(async () => {
  adult = await demoBody();
  const { humanoid, surface } = adult;
  [arm] = findArms(humanoid, surface);
  parts = findParts(surface);
  bones = referenceBoneFrame(createPosedCharacter(humanoid, surface));
  skin = findArmSkin(arm, humanoid, surface, parts, bones);
});

describe('findArmSkin', () => {
  test('has vertices of forearm, hand and fingers of one side, outside of the character in the T-pose', () => {
    const names = new Set(skin.points.map(({ bone }) => BONES[bone]));
    expect(names.has('leftLowerArm')).toBe(true);
    expect(names.has('leftHand')).toBe(true);
    for (const name of names) {
      expect(name.startsWith('left')).toBe(true);
      expect(/LowerArm|Hand/.test(name) || isFingerBone(name)).toBe(true);
    }
    expect(skin.plain).toHaveLength(skin.points.length);
    expect(Math.max(...skin.plain)).toBe(0);
  });
});

describe('skinExcess', () => {
  test('is 0 where nothing moved, and grows with the depth of a hand that is moved into the trunk', () => {
    expect(skinExcess(skin, parts, bones, 0)).toBe(0);
    const into = (share: number): number => {
      const moved = bones.slice();
      const chest = BONE_STRIDE * BONE.chest + POSITION_OFFSET;
      const hand = BONE_STRIDE * BONE.leftHand + POSITION_OFFSET;
      for (let bone = 0; bone < BONES.length; bone++) {
        if (!skin.points.some((point) => point.bone === bone)) continue;
        for (let c = 0; c < 3; c++) {
          moved[BONE_STRIDE * bone + POSITION_OFFSET + c] += share * (bones[chest + c] - bones[hand + c]);
        }
      }
      return skinExcess(skin, parts, moved, 0);
    };
    expect(into(1)).toBeGreaterThan(0.05);
    expect(into(0.8)).toBeLessThan(into(1) + 1e-9);
    expect(into(0.2)).toBe(0);
  });

  test('does not count what was inside before', () => {
    const inside = { ...skin, plain: skin.plain.map(() => 10) };
    const moved = bones.slice();
    for (let bone = 0; bone < BONES.length; bone++) {
      moved.set(bones.subarray(BONE_STRIDE * BONE.chest + 4, BONE_STRIDE * BONE.chest + 7), BONE_STRIDE * bone + 4);
    }
    expect(skinExcess(skin, parts, moved, 0)).toBeGreaterThan(0);
    expect(skinExcess(inside, parts, moved, 0)).toBe(0);
  });
});
