import { describe, expect, test } from 'vitest';
import {
  BONE,
  BONE_COUNT,
  BONE_MIRRORS,
  BONE_PARENTS,
  BONES,
  isBoneName,
  presentParent,
  REQUIRED_BONES,
} from '../../../src/core/humanoid/bones.ts';

describe('BONES', () => {
  test('has 55 unique names, parents before children', () => {
    expect(BONE_COUNT).toBe(55);
    expect(new Set(BONES).size).toBe(55);
    BONES.forEach((name, bone) => {
      expect(BONE[name]).toBe(bone);
      expect(BONE_PARENTS[bone]).toBeLessThan(bone);
    });
    expect(BONE_PARENTS.filter((parent) => parent < 0)).toHaveLength(1);
  });

  test.each([
    ['neck', 'upperChest'],
    ['rightEye', 'head'],
    ['leftUpperArm', 'leftShoulder'],
    ['leftShoulder', 'upperChest'],
    ['rightUpperLeg', 'hips'],
    ['rightToes', 'rightFoot'],
    ['leftThumbDistal', 'leftThumbProximal'],
    ['rightRingProximal', 'rightHand'],
    ['rightRingDistal', 'rightRingIntermediate'],
  ] as const)('has the parent of %s: %s', (bone, parent) => {
    expect(BONES[BONE_PARENTS[BONE[bone]]]).toBe(parent);
  });

  test('has a mirror for each bone, and mirroring twice gives the bone', () => {
    BONES.forEach((_, bone) => {
      expect(BONE_MIRRORS[BONE_MIRRORS[bone]]).toBe(bone);
    });
    expect(BONES[BONE_MIRRORS[BONE.leftLittleDistal]]).toBe('rightLittleDistal');
    expect(BONE_MIRRORS[BONE.jaw]).toBe(BONE.jaw);
  });

  test('has 15 required bones', () => {
    expect(REQUIRED_BONES).toHaveLength(15);
    expect(REQUIRED_BONES.every((name) => isBoneName(name))).toBe(true);
  });
});

describe('isBoneName', () => {
  test('accepts the 55 names only, not names of Object.prototype', () => {
    expect(isBoneName('hips')).toBe(true);
    for (const name of ['Hips', '', 'constructor', '__proto__', 'toString']) expect(isBoneName(name)).toBe(false);
  });
});

describe('presentParent', () => {
  test('returns the nearest present ancestor', () => {
    const nodes = new Int32Array(BONE_COUNT).fill(-1);
    nodes[BONE.hips] = 0;
    nodes[BONE.spine] = 1;
    expect(presentParent(BONE.leftUpperArm, nodes)).toBe(BONE.spine);
    expect(presentParent(BONE.leftFoot, nodes)).toBe(BONE.hips);
    expect(presentParent(BONE.hips, nodes)).toBe(-1);
  });
});
