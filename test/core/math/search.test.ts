import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastAtMost } from '../../../src/core/math/search.ts';

it('lastAtMost: equals a linear search from the end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 }),
      fc.integer({ min: -1, max: 10 }),
      (raw, x) => {
        const values = raw.sort((a, b) => a - b);
        expect(lastAtMost(values, x)).toBe(values.findLastIndex((value) => value <= x));
      },
    ),
    { seed: 73 },
  );
});
