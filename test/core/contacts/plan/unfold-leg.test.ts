import { expect, test } from 'vitest';
import { type Foot, measureStretch } from '../../../../src/core/contacts/plan/foot.ts';
import { findReturn, returnAnkle } from '../../../../src/core/contacts/plan/unfold-leg.ts';
import { EXACT } from '../../../support/tolerances.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const PEAK = 30;

/** A leg of 1 m, bent to 0.5 m; its path brings the ankle to 0.1 m below the hip. */
function foldedFoot({ following = 0, planted = 0, clearance = 1 } = {}): Foot {
  const points = (at: readonly number[]): Float64Array => Float64Array.from({ length: 3 * COUNT }, (_, i) => at[i % 3]);
  const leg = {
    leg: { length: 1 },
    hip: points([0, 1.5, 0]),
    knee: points([0, 1.25, Math.sqrt(0.25 - 0.0625)]),
    ankle: points([0, 1, 0]),
  };
  return {
    from: leg,
    to: leg,
    stretch: measureStretch(leg as unknown as Foot['from'], leg as unknown as Foot['to']),
    path: { following: new Float64Array(COUNT).fill(following), planted: new Float64Array(COUNT - 1).fill(planted) },
    clearance: new Float64Array(COUNT).fill(clearance),
    shift: new Float64Array(2 * COUNT),
  } as unknown as Foot;
}

/** Lifts of a foot that is raised by 0.4 m for a fifth of a second. */
function lifted(): Float64Array {
  return Float64Array.from({ length: COUNT }, (_, frame) => (Math.abs(frame - PEAK) < 7 ? 0.4 : 0));
}

test('a foot in the air returns to plain retargeting where its leg would fold to less than 0.3 of its length', () => {
  const [foot, raise, lifts] = [foldedFoot(), new Float64Array(COUNT), lifted()];
  const back = findReturn(foot, raise, lifts, TIMING);
  const ankle = Float64Array.of(0, 1.4, 0);
  returnAnkle(ankle, foot, 0, lifts[PEAK], back[PEAK], PEAK);
  expect(1.5 - ankle[1]).toBeGreaterThan(0.29);
  expect(back[PEAK - 10]).toBeGreaterThan(0);
  expect(back[0]).toBe(0);
});

test('a foot on the ground keeps to its path, however folded its leg is', () => {
  for (const state of [{ following: 1 }, { planted: 1 }]) {
    const back = findReturn(foldedFoot(state), new Float64Array(COUNT), lifted(), TIMING);
    expect(Math.max(...back)).toBe(0);
  }
});

test('a leg that is folded by plain retargeting alone is left alone', () => {
  const back = findReturn(foldedFoot(), new Float64Array(COUNT), new Float64Array(COUNT), TIMING);
  expect(Math.max(...back)).toBe(0);
});

test('a foot that returns to plain retargeting does not sink below the floor', () => {
  const ankle = Float64Array.of(0, 1.4, 0);
  returnAnkle(ankle, foldedFoot({ clearance: -0.2 }), -0.3, 0.4, 1, PEAK);
  expect(Math.abs(ankle[1] - 1.2)).toBeLessThan(EXACT);
});
