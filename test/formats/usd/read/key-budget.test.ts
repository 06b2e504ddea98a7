import { expect, it } from 'vitest';
import { makeKeyBudget, spend } from '../../../../src/formats/usd/read/key-budget.ts';

it('refuses keys beyond what memory allows', () => {
  const budget = makeKeyBudget();
  spend(budget, 1_000_000, '/A');
  expect(() => spend(budget, 100_000_000, '/A')).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
});
