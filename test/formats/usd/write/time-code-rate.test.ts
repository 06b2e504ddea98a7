import { describe, expect, it } from 'vitest';
import { timeCodesPerSecond } from '../../../../src/formats/usd/write/time-code-rate.ts';
import { animation, track } from './small-geometry.ts';

const rateOf = (...times: number[]): number => {
  const values = times.flatMap(() => [0, 0, 0]);
  return timeCodesPerSecond([animation('a', [track(0, 'translation', times, values)])]);
};

describe('timeCodesPerSecond', () => {
  it('returns the first common frame rate with all keys on frames', () => {
    expect(rateOf(0, Math.fround(1 / 24), 1)).toBe(24);
    expect(rateOf(0, Math.fround(1 / 30), Math.fround(2 / 30))).toBe(30);
    expect(rateOf(0, Math.fround(1 / 60))).toBe(60);
    expect(rateOf(0, 0.04)).toBe(25);
  });

  it('returns 24 for keys off all frames, and without keys', () => {
    expect(rateOf(0, 0.1234)).toBe(24);
    expect(timeCodesPerSecond([])).toBe(24);
  });
});
