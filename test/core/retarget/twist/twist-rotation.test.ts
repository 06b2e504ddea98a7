import { describe, expect, test } from 'vitest';
import type { TwistPlan } from '../../../../src/core/retarget/plan-types.ts';
import { twistRotation } from '../../../../src/core/retarget/twist/twist-rotation.ts';
import { makeRandom, randomRotation } from '../../../../src/demo/random.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { expectNear } from '../../../support/near.ts';
import { aboutAxis, angle, IDENTITY, inverse, product, rotated } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

function plan(
  fraction: number,
  changes: Partial<Record<'axis' | 'before' | 'after' | 'left' | 'right', readonly number[]>> = {},
): TwistPlan {
  const of = (name: 'before' | 'after' | 'left' | 'right'): Float64Array =>
    Float64Array.from(changes[name] ?? IDENTITY);
  const axis = changes.axis === undefined ? null : Float64Array.from(changes.axis);
  const [before, after, left, right] = [of('before'), of('after'), of('left'), of('right')];
  return { targetNode: 0, driver: 0, bone: -1, depth: 1, axis, fraction, before, after, left, right };
}

function rotation(one: TwistPlan, q: readonly number[]): number[] {
  const out = new Float64Array(4);
  twistRotation(out, 0, one, q, 0);
  return Array.from(out);
}

const X = [1, 0, 0];
const Z = [0, 0, 1];

describe('twistRotation', () => {
  test('scales the angle of a rotation, forward and backward', () => {
    const whole = aboutAxis([1, 2, 3], 1.2);
    expectNear(rotation(plan(0.25), whole), aboutAxis([1, 2, 3], 0.3), EXACT);
    expectNear(rotation(plan(-0.5), whole), aboutAxis([1, 2, 3], -0.6), EXACT);
    expectNear(rotation(plan(1), whole), whole, EXACT);
  });

  test('takes the shorter way round for both signs of the quaternion', () => {
    const whole = aboutAxis(Z, 2);
    expectNear(
      rotation(
        plan(0.5),
        whole.map((x) => -x),
      ),
      aboutAxis(Z, 1),
      EXACT,
    );
  });

  test('scales only the twist if the plan has an axis', () => {
    const swing = aboutAxis(Z, 0.9);
    const twist = aboutAxis(X, 0.8);
    expectNear(rotation(plan(0.5, { axis: X }), product(swing, twist)), aboutAxis(X, 0.4), EXACT);
    expectNear(rotation(plan(0.5, { axis: X }), swing), IDENTITY, EXACT);
  });

  test('fades the twist out near a swing by 180°', () => {
    const twist = (degrees: number): number => {
      const swing = aboutAxis(Z, (degrees * Math.PI) / 180);
      return angle(rotation(plan(1, { axis: X }), product(swing, aboutAxis(X, 0.8))), IDENTITY);
    };
    expect(twist(90)).toBeCloseTo(0.8, 9);
    expect(twist(150)).toBeCloseTo(0.8, 9);
    expect(twist(170)).toBeLessThan(0.8 / 4);
    expect(twist(180)).toBeCloseTo(0, 9);
  });

  test('applies the constant factors to the local rotation', () => {
    const random = makeRandom(5);
    for (let run = 0; run < lawRuns(20); run++) {
      const [before, after, left, right, q] = Array.from({ length: 5 }, () => randomRotation(random));
      const whole = rotation(plan(1, { before, after, left, right }), q);
      expect(angle(whole, product(left, before, q, after, right))).toBeLessThan(EXACT);
      const half = rotation(plan(0.5, { before, after, left, right }), q);
      const part = product(inverse(left), half, inverse(right));
      expect(angle(product(part, part), product(before, q, after))).toBeLessThan(1e-9);
    }
  });

  test('returns a unit quaternion for zeros', () => {
    expect(Math.hypot(...rotation(plan(0.5, { axis: X }), [0, 0, 0, 0]))).toBeCloseTo(1, 12);
    expectNear(rotated(rotation(plan(0.5), [0, 0, 0, 0]), X), X, EXACT);
  });
});
