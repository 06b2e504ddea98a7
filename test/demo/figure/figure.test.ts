import { describe, expect, it } from 'vitest';
import { BONE, BONE_MIRRORS, BONE_PARENTS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import * as presets from '../../../src/demo/figure/proportions.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const H = Math.SQRT1_2;

describe.each(Object.entries(presets))('makeFigure of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const joint = (bone: BoneName): number[] => Array.from(figure.joints.subarray(BONE[bone] * 3, BONE[bone] * 3 + 3));
  const tail = (bone: BoneName): number[] => Array.from(figure.tails.subarray(BONE[bone] * 3, BONE[bone] * 3 + 3));
  const direction = (from: number[], to: number[]): number[] => {
    const way = to.map((v, c) => v - from[c]);
    return way.map((v) => v / Math.hypot(...way));
  };

  it('returns a T-pose: arms and fingers along X, thumbs at 45°, legs down, feet to the front', () => {
    for (const [side, sign] of [['left', 1] as const, ['right', -1] as const]) {
      expectNear(direction(joint(`${side}UpperArm`), joint(`${side}LowerArm`)), [sign, 0, 0], EXACT);
      expectNear(direction(joint(`${side}LowerArm`), joint(`${side}Hand`)), [sign, 0, 0], EXACT);
      expectNear(direction(joint(`${side}UpperLeg`), joint(`${side}LowerLeg`)), [0, -1, 0], EXACT);
      expectNear(direction(joint(`${side}LowerLeg`), joint(`${side}Foot`)), [0, -1, 0], EXACT);
      const [x, , z] = direction(joint(`${side}Foot`), joint(`${side}Toes`));
      expect(Math.abs(x)).toBeLessThan(EXACT);
      expect(z).toBeGreaterThan(0.5);
      expectNear(direction(joint(`${side}ThumbMetacarpal`), joint(`${side}ThumbDistal`)), [sign * H, 0, H], EXACT);
      for (const finger of ['Index', 'Middle', 'Ring', 'Little'] as const) {
        expectNear(direction(joint(`${side}${finger}Proximal`), tail(`${side}${finger}Distal`)), [sign, 0, 0], EXACT);
      }
      expectNear(direction(joint(`${side}Hand`), joint(`${side}MiddleProximal`)), [sign, 0, 0], EXACT);
      expect(joint(`${side}IndexProximal`)[2]).toBeGreaterThan(joint(`${side}LittleProximal`)[2]);
    }
  });

  it('has the requested segment lengths', () => {
    const distance = (a: number[], b: number[]): number => Math.hypot(...a.map((v, c) => v - b[c]));
    expect(distance(joint('leftUpperLeg'), joint('leftFoot'))).toBeCloseTo(proportions.leg, 12);
    expect(distance(joint('leftUpperArm'), joint('leftHand'))).toBeCloseTo(proportions.arm, 12);
    expect(distance(joint('leftUpperArm'), joint('rightUpperArm'))).toBeCloseTo(proportions.shoulderWidth, 12);
    expect(distance(joint('leftUpperLeg'), joint('rightUpperLeg'))).toBeCloseTo(proportions.hipWidth, 12);
    expect(joint('neck')[1] - joint('hips')[1]).toBeCloseTo(proportions.spine, 12);
    expect(tail('head')[1]).toBe(figure.height);
    expect(joint('hips')[1]).toBe(figure.hipsHeight);
    expect(joint('leftFoot')[1]).toBeCloseTo(proportions.ankle, 12);
  });

  it('is symmetric and has no coinciding joints in a chain', () => {
    BONES.forEach((bone, k) => {
      const mirror = BONES[BONE_MIRRORS[k]];
      const [x, y, z] = joint(mirror);
      expectNear(joint(bone), [-x, y, z], EXACT);
      if (BONE_PARENTS[k] >= 0) expect(joint(bone)).not.toEqual(joint(BONES[BONE_PARENTS[k]]));
      expect(tail(bone)).not.toEqual(joint(bone));
    });
  });
});

describe('proportion presets', () => {
  it('have the documented heights', () => {
    const heights = Object.values(presets).map((proportions) => makeFigure(proportions).height);
    expectNear(heights, [1.75, 1.1, 1.11, 2.05, 2.29], 0.03);
  });
});
