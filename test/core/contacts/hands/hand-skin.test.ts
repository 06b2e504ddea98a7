import { beforeAll, describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import {
  findHandSkin,
  handDepth,
  nearestSkin,
  type SkinOfBone,
  skinWithin,
} from '../../../../src/core/contacts/hands/hand-skin.ts';
import {
  BONE_STRIDE,
  POSITION_OFFSET,
  referenceBoneFrame,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms, findParts, type LimbPoint } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { BONE, BONES, isFingerBone } from '../../../../src/core/humanoid/bones.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

let adult: DemoBody;
let parts: ReturnType<typeof findParts>;
let bones: Float64Array;
let skin: readonly SkinOfBone[];

/** Skin of some points alone. */
function skinOf(...points: readonly LimbPoint[]): readonly SkinOfBone[] {
  return points.map((point) => ({ bone: point.bone, points: [point], reach: Number.POSITIVE_INFINITY }));
}

/** The bones of the reference pose, with the hand moved to the chest by a share of the way. */
function handMoved(share: number): Float64Array {
  const moved = bones.slice();
  const chest = BONE_STRIDE * BONE.chest + POSITION_OFFSET;
  const hand = BONE_STRIDE * BONE.leftHand + POSITION_OFFSET;
  for (const { bone } of skin) {
    for (let c = 0; c < 3; c++) {
      moved[BONE_STRIDE * bone + POSITION_OFFSET + c] += share * (bones[chest + c] - bones[hand + c]);
    }
  }
  return moved;
}

beforeAll(async () => {
  adult = await demoBody();
  const { humanoid, surface } = adult;
  parts = findParts(surface);
  bones = referenceBoneFrame(createPosedCharacter(humanoid, surface));
  skin = findHandSkin(findArms(humanoid, surface)[0], surface);
});

describe('findHandSkin', () => {
  test('has vertices of hand and fingers of one side', () => {
    const names = new Set(skin.map(({ bone }) => BONES[bone]));
    expect(names.has('leftHand')).toBe(true);
    for (const name of names) {
      expect(name.startsWith('left')).toBe(true);
      expect(name === 'leftHand' || isFingerBone(name)).toBe(true);
    }
  });

  test('has as many points on both hands of a symmetric character, at mirrored places', () => {
    const { humanoid, surface } = adult;
    const [left, right] = findArms(humanoid, surface).map((arm) =>
      findHandSkin(arm, surface).flatMap(({ points }) => points),
    );
    expect(left.length).toBeGreaterThan(100);
    expect(right.length).toBe(left.length);
    // Vertices mirror each other, diagonals of polygons do not: points between them may be half a cell apart.
    for (const { bone, offset } of right) {
      const name = BONES[bone].replace('right', 'left');
      const distances = left
        .filter((other) => BONES[other.bone] === name)
        .map(({ offset: [x, y, z] }) => Math.hypot(x + offset[0], y - offset[1], z - offset[2]));
      expect(Math.min(...distances)).toBeLessThan(0.01 * surface.height);
    }
  });
});

describe('handDepth', () => {
  test('is 0 in the T-pose, and grows with the depth of a hand that is moved into the trunk', () => {
    expect(handDepth(skin, parts, bones, 0)).toBe(0);
    const into = (share: number): number => handDepth(skin, parts, handMoved(share), 0);
    expect(into(1)).toBeGreaterThan(0.05);
    expect(into(0.8)).toBeLessThan(into(1) + 1e-9);
    expect(into(0.2)).toBe(0);
  });
});

describe('nearestSkin', () => {
  test('finds the vertex of a hand that comes to the trunk first, and its distance', () => {
    const trunk = parts[0];
    const { point, depth } = nearestSkin(skin, trunk, bones, 0)!;
    expect(depth).toBeLessThan(-0.1);
    for (const other of skin.flatMap(({ points }) => points))
      expect(nearestSkin(skinOf(other), trunk, bones, 0)!.depth).toBeLessThanOrEqual(depth);
    expect(nearestSkin(skinOf(point), trunk, bones, 0)!.depth).toBe(depth);
  });

  test('leaves out bones that are too far away, and finds the same as with all of them', () => {
    const all = skin.map((own) => ({ ...own, reach: Number.POSITIVE_INFINITY }));
    for (const share of [0, 0.3, 0.6, 0.8, 1]) {
      const moved = handMoved(share);
      expect(handDepth(skin, parts, moved, 0)).toBe(handDepth(all, parts, moved, 0));
      for (const part of parts) expect(nearestSkin(skin, part, moved, 0)).toEqual(nearestSkin(all, part, moved, 0));
    }
    expect(skinWithin(skin, parts[0], bones, 0, 0)).toEqual([]);
    expect(skinWithin(skin, parts[0], handMoved(1), 0, 0).length).toBeGreaterThan(0);
  });

  test('finds nothing of a hand without vertices', () => {
    expect(nearestSkin([], parts[0], bones, 0)).toBeNull();
  });
});
