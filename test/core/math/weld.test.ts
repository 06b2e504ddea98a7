import fc from 'fast-check';
import { expect, it } from 'vitest';
import { weldNumbers, weldRows } from '../../../src/core/math/weld.ts';

it('weldRows: numbers unique rows in order of first occurrence', () => {
  const { ids, firsts } = weldRows(Int32Array.of(5, 6, 7, 8, 5, 6, 6, 5, 7, 8), 2);
  expect([...ids]).toEqual([0, 1, 0, 2, 1]);
  expect([...firsts]).toEqual([0, 1, 3]);
});

it('weldRows: returns no rows for no input', () => {
  expect(weldRows(new Int32Array(0), 3)).toEqual({ ids: new Int32Array(0), firsts: new Int32Array(0) });
});

it('weldRows: matches a Map with string keys', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 400 }),
      (width, list) => {
        const rows = Int32Array.from(list.slice(0, list.length - (list.length % width)));
        const known = new Map<string, number>();
        const ids = Array.from({ length: rows.length / width }, (_, row) => {
          const text = rows.subarray(row * width, (row + 1) * width).join();
          if (!known.has(text)) known.set(text, known.size);
          return known.get(text);
        });
        const welded = weldRows(rows, width);
        expect([...welded.ids]).toEqual(ids);
        expect(Array.from(welded.firsts, (row) => welded.ids[row])).toEqual([...known.values()]);
      },
    ),
    { seed: 72 },
  );
});

it('weldNumbers: matches weldRows with one number per row', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }), (list) => {
      const numbers = Int32Array.from(list);
      expect(weldNumbers(numbers, 10)).toEqual(weldRows(numbers, 1));
    }),
    { seed: 73 },
  );
});
