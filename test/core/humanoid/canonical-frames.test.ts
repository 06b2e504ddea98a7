import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BONE, BONE_COUNT, BONE_MIRRORS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { read, rotated } from '../../support/reference/plain.ts';
import { EXACT, WRITTEN_DIGITS } from '../../support/tolerances.ts';

function axis(bone: BoneName, direction: readonly number[]): readonly number[] {
  return rotated(read(CANONICAL_FRAMES, 4 * BONE[bone], 4), direction);
}

describe('CANONICAL_FRAMES', () => {
  test('has a unit quaternion per bone', () => {
    expect(CANONICAL_FRAMES.length).toBe(4 * BONE_COUNT);
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      expect(Math.hypot(...read(CANONICAL_FRAMES, 4 * bone, 4))).toBeCloseTo(1, 14);
    }
  });

  test('has +Y along the bone', () => {
    const along = (bone: BoneName): readonly number[] => axis(bone, [0, 1, 0]);
    expectNear(along('spine'), [0, 1, 0], EXACT);
    expectNear(along('leftLowerArm'), [1, 0, 0], EXACT);
    expectNear(along('rightIndexDistal'), [-1, 0, 0], EXACT);
    expectNear(along('leftThumbProximal'), [Math.SQRT1_2, 0, Math.SQRT1_2], EXACT);
    expectNear(along('rightUpperLeg'), [0, -1, 0], EXACT);
    expectNear(along('leftToes'), [0, 0, 1], EXACT);
  });

  test('flexes joints about +X: forearm to the front, shin to the back', () => {
    // A positive rotation about x moves y toward z.
    expectNear(axis('leftLowerArm', [0, 0, 1]), [0, 0, 1], EXACT);
    expectNear(axis('rightLowerArm', [0, 0, 1]), [0, 0, 1], EXACT);
    expectNear(axis('leftLowerLeg', [0, 0, 1]), [0, 0, -1], EXACT);
    expectNear(axis('rightLowerLeg', [0, 0, 1]), [0, 0, -1], EXACT);
    expectNear(axis('leftIndexProximal', [0, 0, 1]), [0, -1, 0], EXACT);
  });

  test('mirrors the left side to the right side', () => {
    BONES.forEach((_, bone) => {
      const [x, y, z, w] = read(CANONICAL_FRAMES, 4 * bone, 4);
      const mirror = read(CANONICAL_FRAMES, 4 * BONE_MIRRORS[bone], 4);
      if (BONE_MIRRORS[bone] !== bone) expectSameRotation(mirror, [x, -y, -z, w], EXACT);
    });
  });
});

describe.skipIf(!HAS_ASSETS)('CANONICAL_FRAMES and research/canonical-frames.json', () => {
  interface Table {
    readonly bones: Readonly<Record<BoneName, { readonly quaternion: readonly number[] }>>;
  }

  test('have the same values', () => {
    const { bones } = JSON.parse(readFileSync(asset('research', 'canonical-frames.json'), 'utf8')) as Table;
    expect(Object.keys(bones).sort()).toEqual([...BONES].sort());
    BONES.forEach((name, bone) => {
      expectSameRotation(read(CANONICAL_FRAMES, 4 * bone, 4), bones[name].quaternion, WRITTEN_DIGITS);
    });
  });
});
