import { describe, expect, it } from 'vitest';
import { numberOf, numbersOf, recordIn, textOf } from '../../../../src/formats/fbx/document/records.ts';
import { rec } from '../fbx-bytes.ts';

describe('looking into records', () => {
  it('finds the first record of a name', () => {
    expect(recordIn([rec('A', [1]), rec('B', [2]), rec('B', [3])], 'B')?.properties).toEqual([2]);
    expect(recordIn([], 'B')).toBeUndefined();
  });

  it('takes numbers of all kinds for numbers, and nothing else', () => {
    expect(numberOf(1.5)).toBe(1.5);
    expect(numberOf(12n)).toBe(12);
    expect(numberOf(true)).toBe(1);
    for (const value of ['1', undefined, Number.NaN, Number.POSITIVE_INFINITY, new Float64Array([1])]) {
      expect(numberOf(value)).toBeUndefined();
    }
    expect(textOf('a')).toBe('a');
    expect(textOf(1)).toBeUndefined();
  });

  it('reads numbers from one array, or one by one', () => {
    expect([...numbersOf(rec('M', [new Float32Array([1, 2, 3])]), 16)]).toEqual([1, 2, 3]);
    expect([...numbersOf(rec('M', [new BigInt64Array([7n])]), 16)]).toEqual([7]);
    expect([...numbersOf(rec('M', [1, 2n, 'x']), 16)]).toEqual([1, 2, Number.NaN]);
    expect([...numbersOf(rec('M', []), 16)]).toEqual([]);
  });

  it('does not look at more numbers than wanted', () => {
    expect(numbersOf(rec('M', [new Float64Array(1000)]), 16)).toHaveLength(16);
  });
});
