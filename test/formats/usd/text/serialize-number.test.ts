import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfToNumber, roundToHalf } from '../../../../src/formats/usd/layer/half.ts';
import { serializeDouble, serializeFloat, serializeHalf } from '../../../../src/formats/usd/text/serialize-number.ts';
import { lawRuns } from '../../../support/law-runs.ts';

/** The fewest digits that come back, found by trying all. */
function fewestDigits(value: number): number {
  for (let digits = 1; digits < 9; digits++)
    if (Math.fround(Number(value.toPrecision(digits))) === value) return digits;
  return 9;
}

function digitsOf(text: string): number {
  return text
    .replace(/e.*|^-/, '')
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/e.*/, '')
    .replace(/0+$/, '').length;
}

describe('serialized numbers', () => {
  it.each<[number, string]>([
    [0, '0'],
    [-0, '-0'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [1e14, '100000000000000'],
    [1e15, '1e15'],
    [123456789012345680, '1.2345678901234568e17'],
    [1e21, '1e21'],
    [Number.POSITIVE_INFINITY, 'inf'],
    [Number.NEGATIVE_INFINITY, '-inf'],
    [Number.NaN, 'nan'],
  ])('equal those of OpenUSD: %d', (value, text) => {
    expect(serializeDouble(value)).toBe(text);
    if (!Number.isFinite(value) || value === 0)
      expect([serializeFloat(value), serializeHalf(value)]).toEqual([text, text]);
  });

  it('serializeFloat: writes the fewest digits that round-trip', () => {
    expect(serializeFloat(Math.fround(0.1))).toBe('0.1');
    expect(serializeFloat(Math.fround(1 / 3))).toBe('0.33333334');
    expect(serializeFloat(Math.fround(16777217))).toBe('16777216');
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = serializeFloat(value);
        expect(Math.fround(Number(text))).toBe(value);
        expect(digitsOf(text)).toBeLessThanOrEqual(fewestDigits(value));
      }),
      { seed: 3, numRuns: lawRuns(5000) },
    );
  });

  it('serializeHalf: round-trips all halves', () => {
    expect(serializeHalf(roundToHalf(0.1))).toBe('0.0999756');
    expect(serializeHalf(roundToHalf(-1.0132e-6))).toBe('-1.01328e-06');
    for (let bits = 0; bits < 0x7c00; bits++) {
      const value = halfToNumber(bits);
      if (roundToHalf(Number(serializeHalf(value))) !== value) expect(serializeHalf(value)).toBe(String(value));
    }
  });
});
