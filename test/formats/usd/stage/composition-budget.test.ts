import { expect, it } from 'vitest';
import {
  countLookups,
  countSite,
  createBudget,
  spendSteps,
} from '../../../../src/formats/usd/stage/composition-budget.ts';

const limit = expect.objectContaining({ code: 'USD_LIMIT' });

it('spendSteps: throws above the limit for the number of prims', () => {
  const work = createBudget(10);
  spendSteps(work, work.limit);
  expect(work.spent).toBe(work.limit);
  expect(() => spendSteps(work, 1)).toThrow(limit);
  expect(createBudget(20).limit).toBe(2 * work.limit);
  expect(() => spendSteps(createBudget(Number.POSITIVE_INFINITY), 1e12)).not.toThrow();
});

it('countLookups: costs more with more layers and longer paths', () => {
  const cost = (layers: number, path: string): number => {
    const work = createBudget(1000);
    countLookups(work, layers, path);
    return work.spent;
  };
  expect(cost(2, '/A')).toBeGreaterThan(cost(1, '/A'));
  expect(cost(1, `/${'A'.repeat(1000)}`)).toBeGreaterThan(cost(1, '/A'));
});

it('countSite: throws for thousands of sites of one prim', () => {
  const work = createBudget(1_000_000);
  for (let k = 0; k < 3000; k++) countSite(work, '/A');
  expect(() => countSite(work, '/A')).toThrow(limit);
});
