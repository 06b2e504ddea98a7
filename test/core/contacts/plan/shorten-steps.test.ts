import { expect, test } from 'vitest';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { type Foot, measureStretch } from '../../../../src/core/contacts/plan/foot.ts';
import { solveFootPath } from '../../../../src/core/contacts/plan/foot-goals.ts';
import { shortenSteps } from '../../../../src/core/contacts/plan/shorten-steps.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const NONE = new Float64Array(COUNT);
const PLAN = { mode: 'auto', retarget: { hipsScale: 1 } } as unknown as ContactPlan;
const IN_AIR = { from: 26, to: 34 };

/**
 * A leg of 1 m, hip at 0.8 m. Its foot is where that of the source is, 0.4 m to the front and within reach, but in some frames plain retargeting holds it
 * 0.6 m further back, which is out of reach of where the path leads.
 *
 * @param touch How much the foot touches the ground in these frames.
 */
function foot(touch: number): Foot {
  const points = (at: readonly number[]): Float64Array => Float64Array.from({ length: 3 * COUNT }, (_, i) => at[i % 3]);
  const leg = {
    leg: { length: 1 },
    hip: points([0, 0.8, 0]),
    knee: points([0, 0.4, 0.2]),
    ankle: points([0, 0, 0.4]),
    clearance: NONE,
  };
  const isHeld = (frame: number): boolean => frame >= IN_AIR.from && frame < IN_AIR.to;
  const held = (there: number, else_: number) =>
    Float64Array.from({ length: COUNT }, (_, i) => (isHeld(i) ? there : else_));
  const path = {
    problem: {
      width: 2,
      data: Float64Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 1 && isHeld(i >> 1) ? -0.6 : 0)),
      dataWeights: new Float64Array(COUNT).fill(1),
      changes: null,
      stiffness: held(0.02, 1e5),
      bending: 3e-5,
      step: TIMING.step,
      isLoop: false,
    },
    planted: held(0, 1),
    touches: held(touch, 1),
    touching: held(0.5, 1),
    following: held(touch, 1),
  };
  const limits = { shifts: new Float64Array(2 * COUNT), weights: new Float64Array(COUNT) };
  return {
    from: leg,
    to: leg,
    stretch: measureStretch(leg as unknown as Foot['from'], leg as unknown as Foot['to']),
    path,
    limits,
    clearance: NONE,
    lifts: NONE,
    strain: NONE,
    shift: solveFootPath(path as unknown as Foot['path'], limits),
  } as unknown as Foot;
}

function shorten(moved: Foot): number {
  for (let round = 0; round < 6; round++) shortenSteps([moved], PLAN, NONE, TIMING, round);
  return moved.shift[1];
}

test('a foot that is out of reach in the air does not move the plants before and after it', () => {
  expect(Math.abs(shorten(foot(0)))).toBeLessThan(0.1);
});

test('a foot on the ground that is out of reach moves with its plants', () => {
  expect(Math.abs(shorten(foot(1)))).toBeGreaterThan(0.2);
});
