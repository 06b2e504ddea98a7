import { describe, expect, test } from 'vitest';
import type { LegFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { describeFootPath, solveFootPath, swingsPast } from '../../../../src/core/contacts/plan/foot-goals.ts';

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

/** A foot of a leg of 1 m that swings to the front and back in the air, meters, once in 0.6 s. */
function swingingFoot(reach: number): LegFrames {
  const count = 37;
  const end = Float64Array.from({ length: 3 * count }, (_, i) => {
    const phase = (2 * Math.PI * Math.floor(i / 3)) / (count - 1);
    return [0, 0.5, reach * Math.sin(phase)][i % 3];
  });
  const heights = new Float64Array(count).fill(0.5);
  const leg = { length: 1, sole: { ballHeight: 0 } };
  return { leg, ball: end, heel: end, floors: new Float64Array(count), clearance: heights } as unknown as LegFrames;
}

describe('describeFootPath', () => {
  test('a foot in the air keeps to plain retargeting, however fast it swings and however far that of the source does', () => {
    const plan = { mode: 'auto', retarget: { hipsScale: 1.3 } } as unknown as ContactPlan;
    const [source, target] = [swingingFoot(0.6), swingingFoot(0.4)];
    const path = describeFootPath(plan, source, null, target, { ball: [], heel: [] }, { step: STEP, loops: true });
    const limits = { shifts: new Float64Array(2 * 37), weights: new Float64Array(37) };
    // The source is up to 0.38 m further. What is left of it, 0.033 m, is the bending energy, that of the offset from the source.
    for (const shift of solveFootPath(path, limits)) expect(Math.abs(shift)).toBeLessThan(0.04);
  });
});
