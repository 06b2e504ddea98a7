import { expect, test } from 'vitest';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { type Foot, measureStretch, reachAt } from '../../../../src/core/contacts/plan/foot.ts';
import { lowerHips } from '../../../../src/core/contacts/plan/lower-hips.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const PEAK = 30;

/** A bent leg of 1 m below a hip joint that is 0.95 m above the ankle, and 0.99 m in one frame; its foot was moved 0.2 m to the front. */
function stretchedFoot(): Foot {
  const points = (at: (frame: number) => readonly number[]): Float64Array =>
    Float64Array.from(Array.from({ length: COUNT }, (_, frame) => at(frame)).flat());
  const hipHeight = (frame: number): number => (frame === PEAK ? 0.99 : 0.95);
  const leg = {
    leg: { length: 1 },
    hip: points((frame) => [0, hipHeight(frame), 0]),
    knee: points((frame) => [0, hipHeight(frame) / 2, Math.sqrt(0.25 - hipHeight(frame) ** 2 / 4)]),
    ankle: points(() => [0, 0, 0]),
    clearance: new Float64Array(COUNT),
  };
  const ones = new Float64Array(COUNT).fill(1);
  const shift = points(() => [0, 0.2]);
  return {
    from: leg,
    to: leg,
    stretch: measureStretch(leg as unknown as Foot['from'], leg as unknown as Foot['to']),
    bearing: ones,
    path: { touching: ones, following: ones },
    clearance: new Float64Array(COUNT),
    strain: new Float64Array(COUNT),
    lifts: new Float64Array(COUNT),
    shift,
  } as unknown as Foot;
}

test('hips are lowered until a foot on the ground is within reach, even where it is out of reach in a single frame', () => {
  const foot = stretchedFoot();
  const plan = { mode: 'auto', retarget: { hipsScale: 1 } } as ContactPlan;
  const raise = new Float64Array(COUNT);
  const reach = lowerHips(raise, plan, [foot], new Float64Array(COUNT), TIMING);
  expect(reach).toBeCloseTo(Math.hypot(0.99, 0.2), 6);
  for (const [frame, raised] of raise.entries()) {
    const distance = Math.hypot(foot.to.hip[3 * frame + 1] + raised, 0.2);
    expect(distance).toBeLessThan(reachAt(foot, frame) + 1e-3);
  }
  expect(raise[0]).toBeGreaterThan(raise[PEAK]);
});
