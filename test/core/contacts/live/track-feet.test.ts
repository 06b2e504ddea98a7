import { describe, expect, test } from 'vitest';
import {
  type LiveFoot,
  type LiveState,
  NO_MEMORY,
  NO_TIME,
  NOTHING_SEEN,
  STILL_HIPS,
} from '../../../../src/core/contacts/live/live-state.ts';
import { trackFeet } from '../../../../src/core/contacts/live/track-feet.ts';

/** A foot of a leg of 1 m that moves to the front at a speed, meters per second; its lower end is at a height, and the tip of its boot on the ground. */
function footAt(speed: number, height: number): LiveFoot {
  const ends = Float64Array.of(0, height, 0.1, 0, height, -0.1, 0, 0, 0, 0, 0, 0);
  const memory = { ...NO_MEMORY, shift: new Float64Array(2), shiftVelocity: new Float64Array(2) };
  const velocities = Float64Array.of(0, 0, speed, 0, 0, speed);
  const source = { isArm: false, length: 1, ballHeight: 0 };
  return { source, ends, formerEnds: ends, velocities, now: { ...NOTHING_SEEN }, memory } as unknown as LiveFoot;
}

/** How much a foot touches the ground beside another one. */
function touching(foot: LiveFoot, other: LiveFoot): number {
  const plan = { mode: 'auto', retarget: { hipsScale: 1 } };
  const hips = { ...STILL_HIPS };
  const rest = {
    hands: [],
    hips,
    source: { floor: 0 },
    hipsPositions: new Float64Array(6),
    time: NO_TIME,
    isFresh: true,
  };
  trackFeet({ plan, feet: [foot, other], ...rest } as unknown as LiveState);
  return foot.memory.touching;
}

describe('trackFeet', () => {
  test.each([
    ['stands', 3, 0],
    ['moves to the back, as in a walk in place', 1.5, -1.5],
  ])('a foot whose tip grazes the ground does not touch it while it swings past one that %s', (_, speed, other) => {
    expect(touching(footAt(speed, 0.08), footAt(other, 0))).toBe(0);
  });

  test.each([
    ['is the lower one', footAt(3, 0), footAt(0, 0.08)],
    ['slides beside one that stands', footAt(3, 0.004), footAt(0, 0)],
    ['moves as the other one does, as the feet of a walk in place between two steps', footAt(-2, 0.08), footAt(-2, 0)],
    ['hardly moves', footAt(0.4, 0.08), footAt(0, 0)],
  ])('a foot that %s touches it', (_, foot, other) => {
    expect(touching(foot, other)).toBe(1);
  });
});
