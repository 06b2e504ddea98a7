import { expect, it } from 'vitest';
import { validity } from '../../../src/core/report/validity.ts';

it('a check without reasons is passed; of very many reasons the first twenty are told and the rest counted', () => {
  expect(validity([])).toEqual({ valid: true, reasons: [] });
  expect(validity(['a'])).toEqual({ valid: false, reasons: ['a'] });
  const many = validity(Array.from({ length: 1000 }, (_, k) => `reason ${k}`));
  expect(many.reasons).toHaveLength(21);
  expect(many.reasons.slice(19)).toEqual(['reason 19', 'and 980 more']);
});
