import { describe, expect, test } from 'vitest';
import { type Arm, findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { without } from '../../../support/make/change-rig.ts';

describe('findArms', () => {
  test('finds points from the upper arm to the fingers of both arms', async () => {
    const { humanoid, surface } = await demoBody();
    const arms = findArms(humanoid, surface);
    expect(arms.map(({ side }) => side)).toEqual(['left', 'right']);
    for (const { points } of arms) {
      expect(points[0]!.isUpper).toBe(true);
      expect(points.slice(1).every((point) => point === null || !point.isUpper)).toBe(true);
    }
  });

  test('a tool that is part of the hand neither moves its points nor counts as its thickness', async () => {
    const { humanoid, surface } = await demoBody();
    const hand = surface.radii[BONE.leftHand]!;
    const withTool = {
      ...hand,
      center: Float64Array.of(0, 0, 0.6),
      to: 0.9,
      radii: hand.radii.map(() => 0.7),
    };
    const radii = surface.radii.map((one, bone) => (bone === BONE.leftHand ? withTool : one));
    const points = findArms(humanoid, { ...surface, radii })[0].points.filter((point) => point?.bone === BONE.leftHand);
    expect(points).toHaveLength(2);
    for (const point of points) {
      expect(point!.thickest).toBeLessThan(0.1);
      expect(Math.abs(point!.offset[2])).toBeLessThan(0.1);
      expect(Math.abs(point!.offset[0])).toBeLessThan(0.3);
    }
  });

  /** The arms of a person, the surface of some of whose hands ends a meter from the wrist. */
  async function armsWithLong(...hands: readonly number[]): Promise<readonly Arm[]> {
    const { humanoid, surface } = await demoBody();
    const radii = surface.radii.map((one, bone) => (one !== null && hands.includes(bone) ? { ...one, to: 1 } : one));
    return findArms(humanoid, { ...surface, radii });
  }

  test('a hand that alone is much longer than a hand holds a tool, which is no surface of it', async () => {
    const [left, right] = await armsWithLong(BONE.leftHand);
    expect([left, right].map(({ holdsTool }) => holdsTool)).toEqual([true, false]);
    expect(left.hand.some(({ bone }) => bone === BONE.leftHand)).toBe(false);
    expect(left.hand).toHaveLength(right.hand.length - 1);
  });

  test('two hands that are much longer than hands are large, and hold nothing', async () => {
    for (const { holdsTool, hand, bones } of await armsWithLong(BONE.leftHand, BONE.rightHand)) {
      expect(holdsTool).toBe(false);
      expect(hand.map(({ bone }) => bone)).toContain(bones[2]);
    }
  });

  test('an incomplete arm is left out', async () => {
    const { humanoid, surface } = await demoBody();
    const nodes = humanoid.map.nodes.slice();
    nodes[BONE.leftLowerArm] = -1;
    const arms = findArms({ ...humanoid, map: { ...humanoid.map, nodes } }, surface);
    expect(arms.map(({ side }) => side)).toEqual(['right']);
  });

  describe('shoulder', () => {
    /** The shoulder bones of both arms of a character that is a little different. */
    async function shouldersOf(change: (humanoid: Humanoid) => Humanoid): Promise<(number | null)[]> {
      const { humanoid, surface } = await demoBody();
      return findArms(change(humanoid), surface).map(({ shoulder }) => shoulder);
    }

    test('is null without a shoulder bone', async () => {
      const shoulders = await shouldersOf((humanoid) => without(humanoid, [BONE.leftShoulder]));
      expect(shoulders).toEqual([null, BONE.rightShoulder]);
    });

    test('is null where the shoulder bone does not move the arm', async () => {
      const shoulders = await shouldersOf(({ map, skeleton, ...rest }) => {
        const parents = skeleton.parents.slice();
        parents[map.nodes[BONE.leftUpperArm]] = parents[map.nodes[BONE.leftShoulder]];
        return { ...rest, map, skeleton: { ...skeleton, parents } };
      });
      expect(shoulders).toEqual([null, BONE.rightShoulder]);
    });

    test('is null where the shoulder bone is too short to move the arm', async () => {
      const shoulders = await shouldersOf(({ reference, ...rest }) => {
        const positions = reference.positions.slice();
        for (const [c, value] of [0.002, 0, 0].entries())
          positions[3 * BONE.leftShoulder + c] = positions[3 * BONE.leftUpperArm + c] - value;
        return { ...rest, reference: { ...reference, positions } };
      });
      expect(shoulders).toEqual([null, BONE.rightShoulder]);
    });
  });
});
