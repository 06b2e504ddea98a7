import { describe, expect, it } from 'vitest';
import { halfBits, halfToNumber, roundToHalf } from '../../../../src/formats/usd/layer/half.ts';

describe('halves', () => {
  it.each<[number, number]>([
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [Number.POSITIVE_INFINITY, 0x7c00],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [2 ** -14 - 2 ** -24, 0x3ff],
    [0.1, 0x2e66],
  ])('halfBits: %d has the bits of IEEE 754', (value, bits) => expect(halfBits(value)).toBe(bits));

  it('halfToNumber: round-trips all halves', () => {
    const wrong: number[] = [];
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = halfToNumber(bits);
      const back = halfBits(value);
      if (Number.isNaN(value) ? (back & 0x7c00) !== 0x7c00 : back !== bits) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  it('roundToHalf: rounds to nearest, ties to even', () => {
    const wrong: number[] = [];
    for (let bits = 1; bits < 0x7bff; bits++) {
      const here = halfToNumber(bits);
      const next = halfToNumber(bits + 1);
      const tie = bits % 2 === 0 ? here : next;
      if (roundToHalf((here + next) / 2) !== tie || roundToHalf(here + (next - here) * 0.49) !== here) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });
});
