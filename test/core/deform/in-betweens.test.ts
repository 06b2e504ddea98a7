import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBetweenWeights, planInBetweens } from '../../../src/core/deform/in-betweens.ts';
import { real } from '../../support/arbitraries.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT, LAW_F64 } from '../../support/tolerances.ts';

function resolve(inBetweens: readonly number[], weight: number): number[] {
  const plan = planInBetweens(inBetweens);
  const out = new Float64Array(plan.inBetweenCount + 1);
  inBetweenWeights(out, 0, plan, weight);
  return [...out];
}

describe('inBetweenWeights and planInBetweens', () => {
  it.each([
    // The example of the schema: in-betweens at 0.25 and 0.5.
    [[0.25, 0.5], 0.75, [0.5, 0, 0.5]],
    [[0.25, 0.5], 0.375, [0, 0.5, 0.5]],
    [[0.25, 0.5], 0.125, [0, 0.5, 0]],
    [[0.25, 0.5], -0.25, [0, -1, 0]],
    [[0.25, 0.5], 2, [3, 0, -2]],
    [[0.25, 0.5], 0.5, [0, 0, 1]],
    [[0.25, 0.5], 0, [0, 0, 0]],
    [[0.25, 0.5], 1, [1, 0, 0]],
    // In any order, below 0 and above 1.
    [[0.5, 0.25], 0.375, [0, 0.5, 0.5]],
    [[-1, 2], -0.5, [0, 0.5, 0]],
    [[-1, 2], -2, [0, 2, 0]],
    [[-1, 2], 1.5, [0.5, 0, 0.5]],
    [[-1, 2], 3, [-1, 0, 2]],
    // Without in-betweens: the weight itself.
    [[], -0.3, [-0.3]],
    [[], 7, [7]],
  ])('in-betweens at %j: weight %f gives %j', (inBetweens, weight, expected) => {
    expectNear(resolve(inBetweens, weight), expected, EXACT);
  });

  it('ignores in-betweens at 0, at 1, at a weight that is not finite, and at the weight of another in-between', () => {
    const plan = planInBetweens([0, 0.5, 1, Number.NaN, 0.5, 1 + 5e-7, Number.POSITIVE_INFINITY]);
    expect([...plan.shapes]).toEqual([-1, 2, 0]);
    expect([...plan.weights]).toEqual([0, 0.5, 1]);
    expect(plan.ignored).toEqual([
      'in-between 0 has weight 0, the weight of the null shape; assign a different weight',
      'in-between 2 has weight 1, the weight of the primary shape; assign a different weight',
      'in-between 3 has weight NaN; expected a finite number',
      'in-between 5 has weight 1.0000005, the weight of the primary shape; assign a different weight',
      'in-between 6 has weight Infinity; expected a finite number',
      'in-between 4 has weight 0.5, the same as in-between 1; assign a different weight',
    ]);
    expectNear(resolve([0, 0.5, 1, Number.NaN, 0.5], 0.25), [0, 0, 0.5, 0, 0, 0], EXACT);
  });

  it('weights times the weights of their shapes add up to the input weight', () => {
    const property = fc.property(
      fc.uniqueArray(fc.integer({ min: -20, max: 30 }), { maxLength: 6 }),
      real(4),
      (list, weight) => {
        const inBetweens = list.map((n) => n / 10);
        const counts = inBetweens.map((w) => w !== 0 && w !== 1);
        const [primary, ...others] = resolve(inBetweens, weight);
        const sum = others.reduce((total, part, i) => total + (counts[i] ? part * inBetweens[i] : 0), primary);
        expect(Math.abs(sum - weight)).toBeLessThan(LAW_F64);
        expect([primary, ...others].filter((share) => share !== 0).length).toBeLessThanOrEqual(2);
      },
    );
    fc.assert(property, { seed: 49, numRuns: lawRuns(300) });
  });

  it.runIf(IS_FULL_RUN)('plans 200,000 in-betweens in bounded time', () => {
    const spent = cpuTimer();
    const plan = planInBetweens(Array.from({ length: 200_000 }, (_, i) => 0.5 + (i % 2) * 1e-9));
    expect(plan.ignored.length).toBe(21);
    expect(spent()).toBeLessThan(5000);
  });
});
