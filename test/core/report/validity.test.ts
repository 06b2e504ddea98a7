import { expect, it } from 'vitest';
import { validity } from '../../../src/core/report/validity.ts';

it('validity: is valid without reasons; lists twenty reasons and counts the others', () => {
  expect(validity([])).toEqual({ valid: true, reasons: [] });
  expect(validity(['a'])).toEqual({ valid: false, reasons: ['a'] });
  const many = validity(Array.from({ length: 1000 }, (_, k) => `reason ${k}`));
  expect(many.reasons).toHaveLength(21);
  expect(many.reasons.slice(19)).toEqual(['reason 19', 'and 980 more']);
});
