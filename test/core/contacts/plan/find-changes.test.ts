import { describe, expect, test } from 'vitest';
import type { LegFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { bearingOfHands } from '../../../../src/core/contacts/plan/find-changes.ts';

/** A leg, or an arm, by its upper joint in one frame. */
const from = (...hip: readonly number[]): LegFrames => ({ hip: Float64Array.from(hip) }) as unknown as LegFrames;
const LEGS = { left: from(0.1, 1, 0), right: from(-0.1, 1, 0) };

describe('bearingOfHands', () => {
  test.each([
    ['sits upright', [0, 1.5, 0], 0],
    ['leans forward by 45°', [0, 1.5, 0.5], Math.SQRT1_2],
    ['lies, as in push-ups', [0, 1, 0.5], 1],
    ['is head down, as in a handstand', [0, 0.5, 0.1], 1],
  ])('hands of a body that %s bear it by as much as its trunk lies', (_, shoulder, bearing) => {
    expect(bearingOfHands({ legs: LEGS }, from(...shoulder))[0]).toBeCloseTo(bearing, 12);
  });

  test('hands of a body without legs do not bear it', () => {
    expect(bearingOfHands({ legs: { left: null, right: null } }, from(0, 1, 0.5))).toEqual(new Float64Array(1));
  });

  test('one leg is enough', () => {
    expect(bearingOfHands({ legs: { ...LEGS, right: null } }, from(0.1, 1, 0.5))[0]).toBe(1);
  });
});
