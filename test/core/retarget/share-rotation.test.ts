import { describe, expect, test } from 'vitest';
import type { SharePlan } from '../../../src/core/retarget/retarget-plan.ts';
import { shareRotation } from '../../../src/core/retarget/share-rotation.ts';
import { makeRandom, randomRotation } from '../../../src/demo/random.ts';
import { expectNear } from '../../near.ts';
import { aboutAxis, angle, IDENTITY, inverse, product, turned } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

function plan(
  share: number,
  changes: Partial<Record<'axis' | 'before' | 'after' | 'left' | 'right', readonly number[]>> = {},
): SharePlan {
  const of = (name: 'before' | 'after' | 'left' | 'right'): Float64Array =>
    Float64Array.from(changes[name] ?? IDENTITY);
  const axis = changes.axis === undefined ? null : Float64Array.from(changes.axis);
  const [before, after, left, right] = [of('before'), of('after'), of('left'), of('right')];
  return { targetNode: 0, driver: 0, bone: -1, depth: 1, axis, share, before, after, left, right };
}

function rotation(one: SharePlan, q: readonly number[]): number[] {
  const out = new Float64Array(4);
  shareRotation(out, 0, one, q, 0);
  return Array.from(out);
}

const X = [1, 0, 0];
const Z = [0, 0, 1];

describe('shareRotation', () => {
  test('takes a part of a turn about its own axis, forward and backward', () => {
    const turn = aboutAxis([1, 2, 3], 1.2);
    expectNear(rotation(plan(0.25), turn), aboutAxis([1, 2, 3], 0.3), EXACT);
    expectNear(rotation(plan(-0.5), turn), aboutAxis([1, 2, 3], -0.6), EXACT);
    expectNear(rotation(plan(1), turn), turn, EXACT);
  });

  test('takes the shorter way round, whichever sign the quaternion has', () => {
    const turn = aboutAxis(Z, 2);
    expectNear(
      rotation(
        plan(0.5),
        turn.map((x) => -x),
      ),
      aboutAxis(Z, 1),
      EXACT,
    );
  });

  test('takes a part of the twist alone where there is an axis', () => {
    const swing = aboutAxis(Z, 0.9);
    const twist = aboutAxis(X, 0.8);
    expectNear(rotation(plan(0.5, { axis: X }), product(swing, twist)), aboutAxis(X, 0.4), EXACT);
    expectNear(rotation(plan(0.5, { axis: X }), swing), IDENTITY, EXACT);
  });

  test('lets the twist fade out where the limb points nearly the opposite way', () => {
    const twist = (degrees: number): number => {
      const swing = aboutAxis(Z, (degrees * Math.PI) / 180);
      return angle(rotation(plan(1, { axis: X }), product(swing, aboutAxis(X, 0.8))), IDENTITY);
    };
    expect(twist(90)).toBeCloseTo(0.8, 9);
    expect(twist(150)).toBeCloseTo(0.8, 9);
    expect(twist(170)).toBeLessThan(0.8 / 4);
    expect(twist(180)).toBeCloseTo(0, 9);
  });

  test('turns what the constants make of the local rotation', () => {
    const random = makeRandom(5);
    for (let run = 0; run < 20; run++) {
      const [before, after, left, right, q] = Array.from({ length: 5 }, () => randomRotation(random));
      const whole = rotation(plan(1, { before, after, left, right }), q);
      expect(angle(whole, product(left, before, q, after, right))).toBeLessThan(EXACT);
      const half = rotation(plan(0.5, { before, after, left, right }), q);
      const part = product(inverse(left), half, inverse(right));
      expect(angle(product(part, part), product(before, q, after))).toBeLessThan(1e-9);
    }
  });

  test('gives a unit quaternion also for zeros', () => {
    expect(Math.hypot(...rotation(plan(0.5, { axis: X }), [0, 0, 0, 0]))).toBeCloseTo(1, 12);
    expectNear(turned(rotation(plan(0.5), [0, 0, 0, 0]), X), X, EXACT);
  });
});
