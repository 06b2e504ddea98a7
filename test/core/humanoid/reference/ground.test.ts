import { describe, expect, test } from 'vitest';
import { groundHeight, guessUnit, standsOnZero } from '../../../../src/core/humanoid/reference/ground.ts';

describe('standsOnZero', () => {
  test.each([
    [0.02, 1, true],
    [-0.05, 1, true],
    [-0.051, 1, false],
    [0.4, 1, true],
    [0.41, 1, false],
    [-90, 10, false],
    [-0.9, 0, false],
    [-1, -0.1, false],
  ])('feet at %s below hips at %s: %s', (foot, hips, stands) => {
    expect(standsOnZero(foot, hips)).toBe(stands);
  });
});

describe('groundHeight', () => {
  test('is 0 under feet that stand there, else the foot', () => {
    expect(groundHeight(0.08, 1)).toBe(0);
    expect(groundHeight(-0.9, 0.1)).toBe(-0.9);
    expect(groundHeight(4, 5)).toBe(4);
  });
});

describe('guessUnit', () => {
  test.each([
    ['meters', 1.6, 1],
    ['centimeters', 168, 0.01],
    ['inches', 66, 0.0254],
    ['millimeters', 1700, 0.001],
    ['decimeters', 16.5, 0.1],
    ['the unit of the CMU library', 28, 0.0254 / 0.45],
    ['hundreds of meters', 0.017, 100],
  ])('finds %s', (_, height, meters) => {
    expect(guessUnit(height, null)).toBe(meters);
  });

  test('keeps a declared unit while the body it makes is no dwarf and no tower', () => {
    expect(guessUnit(0.3, 1)).toBe(1);
    expect(guessUnit(9.9, 1)).toBe(1);
    expect(guessUnit(170, 0.01)).toBe(0.01);
    expect(guessUnit(170, 1)).toBe(0.01);
    expect(guessUnit(0.0016, 1)).not.toBe(1);
  });

  test('believes a field of a file for dolls too, and looks for mixed up centimeters and meters where it cannot', () => {
    expect(guessUnit(0.12, 1, 'file')).toBe(1);
    expect(guessUnit(0.12, 1)).not.toBe(1);
    // A body of 160 m, a body of 1.6 cm.
    expect(guessUnit(16_000, 0.01, 'file')).toBeCloseTo(0.0001, 12);
    expect(guessUnit(16_000, 0.01)).toBe(0.001);
    expect(guessUnit(0.016, 1, 'file')).toBe(100);
    // Where a plain unit explains it, that is taken.
    expect(guessUnit(1.7, 0.01, 'file')).toBe(1);
    expect(guessUnit(170, 1, 'file')).toBe(0.01);
  });

  test('takes the declared unit, or meters, for a body without height', () => {
    expect(guessUnit(0, 0.5)).toBe(0.5);
    expect(guessUnit(0, null)).toBe(1);
    expect(guessUnit(Number.NaN, null)).toBe(1);
  });
});
