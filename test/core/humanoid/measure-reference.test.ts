import { describe, expect, test } from 'vitest';
import { findGroundHeight, isOnZeroGround } from '../../../src/core/humanoid/measure-reference.ts';

describe('isOnZeroGround', () => {
  test.each([
    [0.02, 1, true],
    [-0.05, 1, true],
    [-0.051, 1, false],
    [0.4, 1, true],
    [0.41, 1, false],
    [-90, 10, false],
    [-0.9, 0, false],
    [-1, -0.1, false],
  ])('returns the right result for feet at %s and hips at %s: %s', (foot, hips, expected) => {
    expect(isOnZeroGround(foot, hips)).toBe(expected);
  });
});

describe('findGroundHeight', () => {
  test('returns 0 for feet near y = 0, else the height of the foot', () => {
    expect(findGroundHeight(0.08, 1)).toBe(0);
    expect(findGroundHeight(-0.9, 0.1)).toBe(-0.9);
    expect(findGroundHeight(4, 5)).toBe(4);
  });
});
