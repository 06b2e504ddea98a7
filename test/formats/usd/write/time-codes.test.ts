import { describe, expect, it } from 'vitest';
import { timeCodesPerSecond, toCodes } from '../../../../src/formats/usd/write/time-codes.ts';
import { animation, track } from './small-geometry.ts';

const rateOf = (...times: number[]): number => {
  const values = times.flatMap(() => [0, 0, 0]);
  return timeCodesPerSecond([animation('a', [track(0, 'translation', times, values)])]);
};

describe('time codes of a second', () => {
  it('are the frames of the first usual rate on which all keys lie', () => {
    expect(rateOf(0, Math.fround(1 / 24), 1)).toBe(24);
    expect(rateOf(0, Math.fround(1 / 30), Math.fround(2 / 30))).toBe(30);
    expect(rateOf(0, Math.fround(1 / 60))).toBe(60);
    expect(rateOf(0, 0.04)).toBe(25);
  });

  it('are 24 for keys on none, and without keys', () => {
    expect(rateOf(0, 0.1234)).toBe(24);
    expect(timeCodesPerSecond([])).toBe(24);
  });

  it('begin at the origin and are never rounded', () => {
    expect(Array.from(toCodes({ origin: 101, perSecond: 24 }, [0, 0.1]))).toEqual([101, 101 + 0.1 * 24]);
  });
});
