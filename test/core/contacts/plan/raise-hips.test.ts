import { expect, test } from 'vitest';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { type Foot, measureStretch } from '../../../../src/core/contacts/plan/foot.ts';
import { raiseHips } from '../../../../src/core/contacts/plan/raise-hips.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const PEAK = 30;
const PLAN = { mode: 'auto', retarget: { hipsScale: 1 } } as ContactPlan;

/** A leg of 1 m whose hip is 0.5 m above the ankle, and 0.1 m for a fifth of a second; in these frames the sole is as deep below the floor as `depth` says. */
function crouchingFoot(depth: number): Foot {
  const isLow = (frame: number): boolean => Math.abs(frame - PEAK) < 7;
  const points = (at: (frame: number) => readonly number[]): Float64Array =>
    Float64Array.from(Array.from({ length: COUNT }, (_, frame) => at(frame)).flat());
  const ankle = (frame: number): number => (isLow(frame) ? -depth : 0);
  const plain = {
    leg: { length: 1 },
    hip: points(() => [0, 0.5, 0]),
    knee: points((frame) => [0, 0.25 + ankle(frame) / 2, Math.sqrt(0.25 - (0.5 - ankle(frame)) ** 2 / 4)]),
    ankle: points((frame) => [0, ankle(frame), 0]),
    clearance: new Float64Array(COUNT),
  };
  return {
    from: plain,
    to: plain,
    stretch: measureStretch(plain as unknown as Foot['from'], plain as unknown as Foot['to']),
    path: { following: new Float64Array(COUNT) },
    clearance: Float64Array.from({ length: COUNT }, (_, frame) => (isLow(frame) ? -depth : 0.1)),
    lifts: new Float64Array(COUNT),
    shift: new Float64Array(2 * COUNT),
  } as unknown as Foot;
}

/** Hips that are lowered by 0.4 m for a fifth of a second. */
const lowered = (): Float64Array => Float64Array.from({ length: COUNT }, (_, k) => (Math.abs(k - PEAK) < 7 ? -0.4 : 0));

test('raiseHips: raises hips toward which the floor pushes a foot, smoothly', () => {
  const raise = lowered();
  raiseHips(raise, PLAN, [crouchingFoot(0)], new Float64Array(COUNT), TIMING);
  // Hip and ankle were 0.1 m apart, and 0.3 m is the least.
  expect(raise[PEAK]).toBeGreaterThan(-0.28);
  expect(raise[PEAK]).toBeLessThanOrEqual(-0.2);
  expect(raise[PEAK - 10]).toBeGreaterThan(0);
  expect(raise[0]).toBe(0);
});

test('raiseHips: leaves hips alone where the trunk is on the ground, and where plain retargeting folds the leg as much', () => {
  const onTrunk = lowered();
  raiseHips(onTrunk, PLAN, [crouchingFoot(0)], new Float64Array(COUNT).fill(1), TIMING);
  expect(onTrunk).toEqual(lowered());
  const upright = new Float64Array(COUNT);
  raiseHips(upright, PLAN, [crouchingFoot(0)], new Float64Array(COUNT), TIMING);
  expect(upright).toEqual(new Float64Array(COUNT));
});
