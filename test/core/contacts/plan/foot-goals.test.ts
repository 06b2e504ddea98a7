import { describe, expect, test } from 'vitest';
import type { LegFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { swingsPast } from '../../../../src/core/contacts/plan/foot-goals.ts';

const COUNT = 3;
const STEP = 1 / 60;

/** A foot of a leg of 1 m that moves to the front at a speed, meters per second; its lower end is at a height, and the tip of its boot on the ground. */
function footAt(speed: number, height: number): LegFrames {
  const end = (z: number): Float64Array =>
    Float64Array.from({ length: 3 * COUNT }, (_, i) => [0, height, z + speed * STEP * Math.floor(i / 3)][i % 3]);
  const floors = new Float64Array(COUNT);
  const leg = { length: 1, sole: { ballHeight: 0 } };
  return { leg, ball: end(0.1), heel: end(-0.1), floors, clearance: floors } as unknown as LegFrames;
}

describe('swingsPast', () => {
  test.each([
    ['stands', 3, 0],
    ['moves to the back, as in a walk in place', 1.5, -1.5],
  ])('a foot whose tip grazes the ground swings past one that %s', (_, speed, other) => {
    expect(swingsPast(footAt(speed, 0.08), footAt(other, 0), 1, STEP)).toBe(1);
  });

  test.each([
    ['is the lower one', footAt(3, 0), footAt(0, 0.08)],
    ['slides beside one that stands', footAt(3, 0.004), footAt(0, 0)],
    ['moves as the other one does, as the feet of a walk in place between two steps', footAt(-2, 0.08), footAt(-2, 0)],
    ['hardly moves', footAt(0.4, 0.08), footAt(0, 0)],
  ])('a foot that %s does not', (_, foot, other) => {
    expect(swingsPast(foot, other, 1, STEP)).toBe(0);
  });
});
