import fc from 'fast-check';
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

  it('begin at the origin, and are whole where that is the second in single precision', () => {
    expect(Array.from(toCodes({ origin: 101, perSecond: 24 }, [0, 0.1]))).toEqual([101, 101 + 0.1 * 24]);
    const frames = Array.from({ length: 3000 }, (_, frame) => frame);
    for (const perSecond of [24, 30, 60, 29.97]) {
      const seconds = frames.map((frame) => Math.fround(frame / perSecond));
      expect(Array.from(toCodes({ origin: 0, perSecond }, seconds))).toEqual(frames);
    }
  });

  it('rise where keys of single and of double precision are a hair apart', () => {
    const frame = Math.fround(1 / 24);
    const between = 1 / 24 + (frame - 1 / 24) / 2;
    const codes = Array.from(toCodes({ origin: 1, perSecond: 24 }, [0, 1 / 24, between, frame, 0.5]));
    expect(codes.every((code, i) => i === 0 || code > codes[i - 1])).toBe(true);
    expect(codes).toEqual([1, 2, 1 + between * 24, 1 + frame * 24, 13]);
  });

  it('are as many as seconds, and read again the same float32', () => {
    const float32 = fc.float({ min: 0, max: 4000, noNaN: true });
    fc.assert(
      fc.property(fc.uniqueArray(float32, { minLength: 1 }), fc.constantFrom(24, 30, 25, 60), (seconds, perSecond) => {
        const codes = Array.from(toCodes({ origin: 0, perSecond }, seconds));
        expect(new Set(codes).size).toBe(seconds.length);
        expect(codes.map((code) => Math.fround(code / perSecond))).toEqual(seconds);
      }),
    );
  });
});
