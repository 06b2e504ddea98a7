import { expect, it } from 'vitest';
import { geometryBudget } from '../../../src/core/asset/geometry-budget.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';

it('geometryBudget: allows one gigabyte per file, then throws FormatError', () => {
  const budget = geometryBudget('FBX_LIMIT');
  for (let part = 0; part < 4; part++) budget.take(2 ** 26);
  budget.take(0);
  expect(() => budget.take(1)).toThrow(FormatError);
  expect(() => geometryBudget('FBX_LIMIT').take(2 ** 28)).not.toThrow();
});
