import { describe, expect, it } from 'vitest';
import { numberOf, numbersOf, recordIn, textOf } from '../../../../src/formats/fbx/document/records.ts';
import { rec } from '../fbx-bytes.ts';

describe('record values', () => {
  it('recordIn: finds the first record with a name', () => {
    expect(recordIn([rec('A', [1]), rec('B', [2]), rec('B', [3])], 'B')?.properties).toEqual([2]);
    expect(recordIn([], 'B')).toBeUndefined();
  });

  it('numberOf: accepts numbers of all types, and nothing else', () => {
    expect(numberOf(1.5)).toBe(1.5);
    expect(numberOf(12n)).toBe(12);
    expect(numberOf(true)).toBe(1);
    for (const value of ['1', undefined, Number.NaN, Number.POSITIVE_INFINITY, new Float64Array([1])]) {
      expect(numberOf(value)).toBeUndefined();
    }
    expect(textOf('a')).toBe('a');
    expect(textOf(1)).toBeUndefined();
  });

  it('numbersOf: reads one array or single values', () => {
    expect([...numbersOf(rec('M', [new Float32Array([1, 2, 3])]), 16)]).toEqual([1, 2, 3]);
    expect([...numbersOf(rec('M', [new BigInt64Array([7n])]), 16)]).toEqual([7]);
    expect([...numbersOf(rec('M', [1, 2n, 'x']), 16)]).toEqual([1, 2, Number.NaN]);
    expect([...numbersOf(rec('M', []), 16)]).toEqual([]);
  });

  it('numbersOf: reads at most the requested count', () => {
    expect(numbersOf(rec('M', [new Float64Array(1000)]), 16)).toHaveLength(16);
  });
});
