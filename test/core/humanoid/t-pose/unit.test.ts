import { describe, expect, test } from 'vitest';
import { guessUnit } from '../../../../src/core/humanoid/t-pose/unit.ts';

describe('guessUnit', () => {
  test.each([
    ['meters', 1.6, 1],
    ['centimeters', 168, 0.01],
    ['inches', 66, 0.0254],
    ['feet', 5.08, 0.3048],
    ['millimeters', 1700, 0.001],
    ['decimeters', 16.5, 0.1],
    ['the unit of the CMU library', 28, 0.0254 / 0.45],
    ['hundreds of meters', 0.017, 100],
  ])('finds %s from the height', (_, height, meters) => {
    expect(guessUnit(height, null)).toBe(meters);
  });

  test('keeps a declared unit while the height is plausible', () => {
    expect(guessUnit(0.3, 1)).toBe(1);
    expect(guessUnit(9.9, 1)).toBe(1);
    expect(guessUnit(170, 0.01)).toBe(0.01);
    expect(guessUnit(170, 1)).toBe(0.01);
    expect(guessUnit(0.0016, 1)).not.toBe(1);
  });

  test('accepts a field of a file down to puppets, and corrects confused centimeters and meters', () => {
    expect(guessUnit(0.12, 1, 'file')).toBe(1);
    expect(guessUnit(0.12, 1)).not.toBe(1);
    // Characters of 160 m and 1.6 cm.
    expect(guessUnit(16_000, 0.01, 'file')).toBeCloseTo(0.0001, 12);
    expect(guessUnit(16_000, 0.01)).toBe(0.001);
    expect(guessUnit(0.016, 1, 'file')).toBe(100);
    // A plain unit that gives a plausible height is preferred.
    expect(guessUnit(1.7, 0.01, 'file')).toBe(1);
    expect(guessUnit(170, 1, 'file')).toBe(0.01);
  });

  test('returns the declared unit, or meters, for a character without height', () => {
    expect(guessUnit(0, 0.5)).toBe(0.5);
    expect(guessUnit(0, null)).toBe(1);
    expect(guessUnit(Number.NaN, null)).toBe(1);
  });
});
