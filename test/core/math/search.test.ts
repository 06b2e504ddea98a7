import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstAtLeast, lastAtMost } from '../../../src/core/math/search.ts';

it('lastAtMost and firstAtLeast: equal linear searches from the end and from the start', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 }),
      fc.integer({ min: -1, max: 10 }),
      (raw, x) => {
        const values = raw.sort((a, b) => a - b);
        expect(lastAtMost(values, x)).toBe(values.findLastIndex((value) => value <= x));
        expect(firstAtLeast(values, x)).toBe(values.filter((value) => value < x).length);
      },
    ),
    { seed: 73 },
  );
});
