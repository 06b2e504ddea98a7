import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCodes } from '../../../src/formats/usd/time-codes.ts';

describe('toCodes', () => {
  it('starts at the origin, and returns whole codes for float32 frame times', () => {
    expect(Array.from(toCodes({ origin: 101, perSecond: 24 }, [0, 0.1]))).toEqual([101, 101 + 0.1 * 24]);
    const frames = Array.from({ length: 3000 }, (_, frame) => frame);
    for (const perSecond of [24, 30, 60, 29.97]) {
      const seconds = frames.map((frame) => Math.fround(frame / perSecond));
      expect(Array.from(toCodes({ origin: 0, perSecond }, seconds))).toEqual(frames);
    }
  });

  it('ascends strictly for float32 and float64 times that are almost equal', () => {
    const frame = Math.fround(1 / 24);
    const between = 1 / 24 + (frame - 1 / 24) / 2;
    const codes = Array.from(toCodes({ origin: 1, perSecond: 24 }, [0, 1 / 24, between, frame, 0.5]));
    expect(codes.every((code, i) => i === 0 || code > codes[i - 1])).toBe(true);
    expect(codes).toEqual([1, 2, 1 + between * 24, 1 + frame * 24, 13]);
  });

  it('ascends strictly where doubles are further apart than the times', () => {
    for (const origin of [1e30, -1e30, 2 ** 53]) {
      const codes = toCodes({ origin, perSecond: 24 }, [0, 1e-9, 0.5, 1]);
      expect(codes.every((code, i) => Number.isFinite(code) && (i === 0 || code > codes[i - 1]))).toBe(true);
    }
  });

  it('keeps the number of times, and reads back the same float32', () => {
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
