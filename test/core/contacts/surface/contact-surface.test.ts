import { describe, expect, test } from 'vitest';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { countPoints, selectPoints } from '../../../../src/core/deform/skin-points.ts';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { tPoseHumanoid } from '../../../make/tiny-humanoid.ts';

describe('describeContactSurface', () => {
  test('finds the soles of a mesh: their length, height and side', async () => {
    const { humanoid, surface } = await demoBody();
    expect(surface.from).toBe('skin');
    for (const side of ['left', 'right'] as const) {
      const sole = surface.soles[side]!;
      const z = Array.from(sole.outline).filter((_, k) => k % 2 === 1);
      const x = Array.from(sole.outline).filter((_, k) => k % 2 === 0);
      expect(Math.max(...z) - Math.min(...z)).toBeCloseTo(ADULT.foot, 1);
      expect(sole.ankleHeight).toBeCloseTo(ADULT.ankle, 2);
      expect(Math.sign(x[0])).toBe(side === 'left' ? 1 : -1);
      const bones = new Set(surface.bones.slice(sole.from, sole.to));
      expect([...bones].every((bone) => BONES[bone].startsWith(side))).toBe(true);
    }
    expect(surface.floor).toBe(humanoid.ground);
    expect(countPoints(surface.points)).toBeLessThan(4000);
  });

  test('orders points: trunk, arms, feet', async () => {
    const { surface } = await demoBody();
    const parts = Array.from(surface.bones, (bone) => BONES[bone]);
    expect(parts.slice(0, surface.trunkEnd).some((name) => /Hand|Arm|Foot|Toes/.test(name))).toBe(false);
    expect(
      parts
        .slice(surface.trunkEnd, surface.armsEnd)
        .every((name) => /Arm|Hand|Thumb|Index|Middle|Ring|Little/.test(name)),
    ).toBe(true);
    expect(parts.slice(surface.armsEnd).every((name) => /Foot|Toes/.test(name))).toBe(true);
  });

  test('estimates soles on the ground and thickness from joints without a mesh', () => {
    const humanoid = tPoseHumanoid();
    const surface = describeContactSurface(humanoid, null);
    expect(surface.from).toBe('joints');
    expect(surface.soles.left!.ankleHeight).toBeCloseTo(0.1, 9);
    expect(surface.soles.left!.ballHeight).toBeCloseTo(0.02, 9);
    expect(surface.bones.slice(0, surface.trunkEnd)).toContain(BONE.hips);
    expect(surface.points.radii[0]).toBeGreaterThan(0.05);
  });

  test('has no sole where one foot has no skin', async () => {
    const { humanoid, surface } = await demoBody();
    const rest = Array.from({ length: surface.soles.right!.from }, (_, point) => point);
    const oneFooted = describeContactSurface(humanoid, selectPoints(surface.points, rest));
    expect(oneFooted.from).toBe('skin');
    expect(oneFooted.soles.left).not.toBeNull();
    expect(oneFooted.soles.right).toBeNull();
  });

  test('has no sole where a leg is incomplete', () => {
    const humanoid = tPoseHumanoid();
    const nodes = humanoid.map.nodes.slice();
    nodes[BONE.leftLowerLeg] = -1;
    const surface = describeContactSurface({ ...humanoid, map: { ...humanoid.map, nodes } }, null);
    expect(surface.soles.left).toBeNull();
    expect(surface.soles.right).not.toBeNull();
  });
});
