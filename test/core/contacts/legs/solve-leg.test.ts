import { describe, expect, test } from 'vitest';
import { softReach, solveLeg } from '../../../../src/core/contacts/legs/solve-leg.ts';
import { between, makeRandom } from '../../../../src/demo/random.ts';
import { apart, plus, read, rotated, type Vector } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const HINGE = Float64Array.of(1, 0, 0);

/** Returns knee and ankle after the rotations of {@link solveLeg}. */
function solved(joints: Float64Array, goal: Vector, activity = 1, hinge = HINGE): { knee: Vector; ankle: Vector } {
  const out = new Float64Array(8);
  solveLeg(out, joints, Float64Array.from(goal), hinge, Float64Array.of(activity), 0);
  const [hip, knee, ankle] = [0, 3, 6].map((at) => read(joints, at, 3));
  const thigh = rotated(
    read(out, 0, 4),
    knee.map((v, c) => v - hip[c]),
  );
  const shin = rotated(
    read(out, 4, 4),
    ankle.map((v, c) => v - knee[c]),
  );
  return { knee: plus(hip, thigh), ankle: plus(plus(hip, thigh), shin) };
}

/** A leg that bends its knee forward, in any direction. */
function randomLeg(seed: number): Float64Array {
  const random = makeRandom(seed);
  const offset = (size: number): number => between(random, -size, size);
  return Float64Array.of(
    0,
    1,
    0,
    offset(0.2),
    0.55,
    between(random, 0.1, 0.3),
    offset(0.3),
    between(random, 0, 0.2),
    offset(0.2),
  );
}

describe('solveLeg', () => {
  test('reaches every goal within reach', () => {
    for (let seed = 0; seed < 50; seed++) {
      const joints = randomLeg(seed);
      const goal: Vector = [joints[6] + 0.1, joints[7] + 0.05, joints[8] - 0.1];
      expect(apart(solved(joints, goal).ankle, goal)).toBeLessThan(1e-9);
    }
  });

  test('is the identity when the goal is the ankle', () => {
    for (let seed = 0; seed < 50; seed++) {
      const joints = randomLeg(seed);
      const { knee, ankle } = solved(joints, read(joints, 6, 3), 0);
      expect(apart(knee, read(joints, 3, 3))).toBeLessThan(1e-9);
      expect(apart(ankle, read(joints, 6, 3))).toBeLessThan(EXACT);
    }
  });

  test('bends a straight knee further to the front: its offset to the side stays as small as it is', () => {
    for (const side of [-1, 1]) {
      const joints = Float64Array.of(0, 1, 0, side * 0.002, 0.5, 0.001, 0, 0, 0);
      const { knee } = solved(joints, [0, 0.01, 0], 0);
      expect(Math.abs(knee[0] - side * 0.002)).toBeLessThan(1e-4);
      expect(knee[2]).toBeGreaterThan(0.05);
    }
  });

  test('keeps the plane of a bent knee', () => {
    const joints = Float64Array.of(0, 1, 0, 0.3, 0.6, 0, 0, 0.2, 0);
    const { knee } = solved(joints, [0, 0.4, 0], 1, Float64Array.of(0, 0, -1));
    expect(knee[2]).toBeCloseTo(0, 9);
    expect(knee[0]).toBeGreaterThan(0.3);
  });

  test('bends a straight knee to the front', () => {
    const joints = Float64Array.of(0, 1, 0, 0.001, 0.5, 0, 0, 0, 0);
    const { knee } = solved(joints, [0, 0.1, 0]);
    expect(knee[2]).toBeGreaterThan(0.15);
    expect(Math.abs(knee[0])).toBeLessThan(0.01);
    expect(solved(Float64Array.of(0, 1, 0, 0, 0.5, -0.01, 0, 0, 0), [0, 0.1, 0]).knee[2]).toBeGreaterThan(0.15);
  });

  test('stretches the leg towards a goal out of reach', () => {
    const joints = Float64Array.of(0, 1, 0, 0, 0.5, 0.1, 0, 0, 0);
    const { ankle } = solved(joints, [0, -2, 0]);
    expect(ankle[1]).toBeCloseTo(1 - 2 * Math.hypot(0.5, 0.1), 4);
  });
});

describe('softReach', () => {
  test('changes nothing up to the start, and stays below its limit', () => {
    expect(softReach(0.9, 0.97, 1)).toBe(0.9);
    expect(softReach(0.97, 0.97, 1)).toBe(0.97);
    expect(softReach(5, 0.97, 1)).toBeLessThanOrEqual(1);
    expect(softReach(5, 0.97, 0.99)).toBeLessThanOrEqual(0.99);
    expect(softReach(1.2, 0.993, 0.993)).toBe(0.993);
    for (let e = 0.9; e < 1.3; e += 0.01) expect(softReach(e + 0.01, 0.97, 1)).toBeGreaterThan(softReach(e, 0.97, 1));
  });
});
