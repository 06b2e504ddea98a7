import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float32Below, float32From } from '../../../src/core/math/float32.ts';
import { lawRuns } from '../../support/law-runs.ts';

/** Returns the next float32 above and below a number, from its bits. */
const STEP = 2 ** -23;

describe('float32From and float32Below', () => {
  it('return the two float32 neighbors around a number', () => {
    const property = fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      const [below, from] = [float32Below(value), float32From(value)];
      expect([Math.fround(below), Math.fround(from)]).toEqual([below, from]);
      expect(below).toBeLessThan(value);
      expect(from).toBeGreaterThanOrEqual(value);
      const middle = below + (from - below) / 2;
      expect([below, from]).toContain(Math.fround(middle));
    });
    fc.assert(property, { seed: 5, numRuns: lawRuns(1000) });
  });

  it('return a float32 itself and the next one below it', () => {
    expect(float32From(1)).toBe(1);
    expect(float32Below(1)).toBe(1 - STEP / 2);
    expect(float32From(1 + STEP / 3)).toBe(1 + STEP);
    expect(float32Below(1 + STEP / 3)).toBe(1);
    expect(float32From(-1 - STEP / 3)).toBe(-1);
    expect(float32Below(-1)).toBe(-1 - STEP);
  });

  it('handle positive and negative zero', () => {
    expect(float32From(0)).toBe(0);
    expect(float32Below(0)).toBe(-(2 ** -149));
    expect(float32From(1e-60)).toBe(2 ** -149);
  });
});
