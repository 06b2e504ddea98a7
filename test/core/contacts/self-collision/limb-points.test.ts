import { describe, expect, test } from 'vitest';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

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

  test('an incomplete arm is left out', async () => {
    const { humanoid, surface } = await demoBody();
    const nodes = humanoid.map.nodes.slice();
    nodes[BONE.leftLowerArm] = -1;
    const arms = findArms({ ...humanoid, map: { ...humanoid.map, nodes } }, surface);
    expect(arms.map(({ side }) => side)).toEqual(['right']);
  });
});
