import { beforeAll, describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import {
  allowedDepths,
  armDepths,
  depthLimit,
  permitGround,
} from '../../../../src/core/contacts/self-collision/allowed-depths.ts';
import {
  BONE_STRIDE,
  POSITION_OFFSET,
  sampleBoneFrames,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { type Arm, findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { HEAVY } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

const GRID = { start: 0, count: 9, step: 0.1 };

let adult: DemoBody;
let heavy: DemoBody;

beforeAll(async () => {
  [adult, heavy] = await Promise.all([demoBody(), demoBody(HEAVY)]);
});

function bonesOf({ humanoid, surface, walk }: DemoBody): Float64Array {
  return sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, GRID);
}

const leftArm = ({ humanoid, surface }: DemoBody): Arm => findArms(humanoid, surface)[0];

function allowed(target: DemoBody, source: DemoBody): Float64Array {
  const { humanoid, surface } = target;
  return allowedDepths(
    leftArm(target),
    { character: createPosedCharacter(humanoid, surface), surface },
    { ...source, bones: bonesOf(source) },
  );
}

describe('allowedDepths', () => {
  test('a character may be as deep as it is in its own motion, at least: nothing has to change', () => {
    const arm = leftArm(adult);
    const depths = armDepths(arm, adult.humanoid, findParts(adult.surface), bonesOf(adult), Number.NEGATIVE_INFINITY);
    for (const [k, ratio] of allowed(adult, adult).entries()) {
      if (ratio > Number.NEGATIVE_INFINITY) expect(ratio).toBeGreaterThanOrEqual(depths[k]);
      // Points that are not listed are further away than any clearance, for any thickness up to the length of the arm.
      else expect(depths[k]).toBeLessThan(0);
    }
  });

  test('has a limit per frame, point and part, that of the arm of the target', () => {
    const { points } = leftArm(heavy);
    expect(allowed(heavy, adult)).toHaveLength(GRID.count * points.length * findParts(heavy.surface).length);
  });

  test('without a mesh of the source, arms may be as deep as in the T-pose of the target, in all frames', () => {
    const source = { ...adult, surface: { ...adult.surface, from: 'joints' as const } };
    const limits = allowed(heavy, source);
    const size = limits.length / GRID.count;
    for (let frame = 1; frame < GRID.count; frame++) {
      expect(limits.slice(frame * size, (frame + 1) * size)).toEqual(limits.slice(0, size));
    }
  });
});

describe('permitGround', () => {
  test('permits an arm to be as deep in the ground as the body is, and nothing for a body that stands on it', () => {
    const { humanoid, surface } = adult;
    const arm = leftArm(adult);
    const parts = findParts(surface).length;
    const depthsAt = (sunk: number): Float64Array => {
      const bones = bonesOf(adult);
      for (let at = POSITION_OFFSET + 1; at < bones.length; at += BONE_STRIDE) bones[at] -= sunk;
      const out = new Float64Array(GRID.count * arm.points.length * parts).fill(Number.NEGATIVE_INFINITY);
      permitGround(out, arm, createPosedCharacter(humanoid, surface), surface, bones);
      return out;
    };
    for (const [k, ratio] of depthsAt(0).entries()) expect(ratio).toBeLessThan(k % parts === parts - 1 ? 0 : -1e9);
    for (const [k, ratio] of depthsAt(0.5).entries()) {
      if (k % parts < parts - 1) expect(ratio).toBe(Number.NEGATIVE_INFINITY);
      else expect(Math.abs(ratio * surface.height - 0.5)).toBeLessThan(0.1);
    }
  });
});

describe('depthLimit', () => {
  test('is the depth of the source where that is inside or close, and a small distance where it is far', () => {
    const arm = leftArm(adult);
    expect(depthLimit(arm, 0.5, 0.1)).toBeCloseTo(0.05, 12);
    expect(depthLimit(arm, -0.01, 0.1)).toBeCloseTo(-0.001, 12);
    const far = depthLimit(arm, Number.NEGATIVE_INFINITY, 0.1);
    expect(far).toBeLessThan(-0.005);
    expect(far).toBeGreaterThan(-0.03);
    expect(depthLimit(arm, -2, 0.1)).toBe(far);
    expect(depthLimit(arm, 0, 0)).toBe(far);
  });
});
