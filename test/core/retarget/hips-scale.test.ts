import { describe, expect, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { legLength, hipsFactor as pairFactor } from '../../../src/core/retarget/hips-scale.ts';
import type { HipsScale } from '../../../src/core/retarget/options.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { tinyHumanoid, tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';

const tall = tinyHumanoid({ name: 'hips', at: [0, 1, 0] });
const small = tinyHumanoid({ name: 'hips', at: [0, 0.5, 0] });

/** A humanoid with legs of two segments; hip joints below the hips. */
function withLegs(thigh: number, shin: number, ankle: number): Humanoid {
  const base = tinyHumanoid({ name: 'hips', at: [0, 1, 0] });
  const nodes = base.map.nodes.slice();
  const positions = base.reference.positions.slice();
  for (const [k, side] of (['left', 'right'] as const).entries()) {
    for (const [name, height] of [
      ['UpperLeg', thigh + shin + ankle],
      ['LowerLeg', shin + ankle],
      ['Foot', ankle],
    ] as const) {
      const bone = BONE[`${side}${name}`];
      nodes[bone] = 0;
      positions.set([k === 0 ? 0.1 : -0.1, base.ground + height, 0], 3 * bone);
    }
  }
  return { ...base, map: { ...base.map, nodes }, reference: { ...base.reference, positions } };
}

const hipsFactor = (source: Humanoid, target: Humanoid, scale: HipsScale): number =>
  pairFactor({ source, target, hips: 'pelvis' }, scale);

describe('hipsFactor', () => {
  test('returns the ratio of the hips heights, 1, or the number', () => {
    expect(hipsFactor(tall, small, 'hips')).toBe(0.5);
    expect(hipsFactor(tall, small, 'none')).toBe(1);
    expect(hipsFactor(tall, small, 3)).toBe(3);
  });

  test('returns the ratio of the lengths of the legs down to the ground, whatever the height of the hips', () => {
    expect(hipsFactor(withLegs(0.4, 0.4, 0.1), withLegs(0.2, 0.2, 0.05), 'legs')).toBeCloseTo(0.5, 12);
    expect(hipsFactor(withLegs(0.4, 0.4, 0.1), withLegs(0.4, 0.4, 0.1), 'legs')).toBe(1);
  });

  test('returns the ratio of the hips heights as that of the legs if a humanoid has no complete leg', () => {
    expect(hipsFactor(tall, small, 'legs')).toBe(0.5);
  });

  test('returns the ratio of the heights for stature', () => {
    expect(hipsFactor({ ...tall, height: 2 }, { ...small, height: 0.5 }, 'stature')).toBe(0.25);
    expect(hipsFactor({ ...tall, height: 0 }, { ...small, height: 0.5 }, 'stature')).toBe(1);
  });

  test('returns 1 if the hips of one humanoid are not above 1 % of its height', () => {
    const lying = { ...small, hipsHeight: 0.009, height: 1 };
    expect(hipsFactor(tall, lying, 'hips')).toBe(1);
    expect(hipsFactor(lying, tall, 'hips')).toBe(1);
    expect(hipsFactor(tall, { ...lying, hipsHeight: -1 }, 'hips')).toBe(1);
    expect(hipsFactor(tall, { ...lying, hipsHeight: 0.02 }, 'hips')).toBe(0.02);
  });
});

describe('planRetarget', () => {
  test('throws for a hips scale that it does not have, and names those that it has', () => {
    const plan = () => planRetarget(tall, small, { hipsScale: 'auto' as 'hips' });
    expect(plan).toThrow(/hipsScale is "auto".*hips, legs, stature, none/);
  });
});

test('the length of a leg is that of thigh and shin in the reference pose', () => {
  const humanoid = tPoseHumanoid();
  const { positions } = humanoid.reference;
  const at = (bone: number): Float64Array => Float64Array.from(positions.slice(3 * bone, 3 * bone + 3));
  const apart = (a: Float64Array, b: Float64Array): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const [hip, knee, ankle] = [at(BONE.leftUpperLeg), at(BONE.leftLowerLeg), at(BONE.leftFoot)];
  expect(legLength(humanoid, 'left')).toBeCloseTo(apart(hip, knee) + apart(knee, ankle), 12);
});

test('a leg without a foot has no length', () => {
  const humanoid = tPoseHumanoid();
  const nodes = Int32Array.from(humanoid.map.nodes);
  nodes[BONE.leftFoot] = -1;
  expect(legLength({ ...humanoid, map: { ...humanoid.map, nodes } }, 'left')).toBeNull();
});
