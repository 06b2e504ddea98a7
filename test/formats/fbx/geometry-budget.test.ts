import { expect, it } from 'vitest';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { geometryBudget } from '../../../src/formats/fbx/geometry-budget.ts';

it('gives room for a gigabyte in all, to each file anew', () => {
  const budget = geometryBudget();
  for (let part = 0; part < 4; part++) budget.take(2 ** 26);
  budget.take(0);
  expect(() => budget.take(1)).toThrow(FormatError);
  expect(() => geometryBudget().take(2 ** 28)).not.toThrow();
});
