import { describe, expect, test } from 'vitest';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import type { Foot } from '../../../../src/core/contacts/plan/foot.ts';
import { findLifts, raisedLifts } from '../../../../src/core/contacts/plan/foot-heights.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };
const PLAN = { mode: 'auto', retarget: { hipsScale: 1 } } as ContactPlan;

const frames = (at: (frame: number) => number): Float64Array => Float64Array.from({ length: COUNT }, (_, k) => at(k));

/** A foot with the heights of the soles of source and target, on the ground or in the air. */
function footOf(source: (frame: number) => number, target: (frame: number) => number, following: number): Foot {
  const from = { leg: { length: 1 }, clearance: frames(source) };
  const clearance = frames(target);
  const path = { touching: frames(() => following), following: frames(() => following) };
  const lifts = findLifts(PLAN, from as unknown as Foot['from'], clearance, path.following, TIMING);
  return { from, path, clearance, lifts } as unknown as Foot;
}

describe('findLifts', () => {
  test('soles on the ground are as high as that of the source, also where the height of the target changes within a tenth of a second', () => {
    const step = (frame: number): number => 0.05 / (1 + Math.exp((30 - frame) / 1.5));
    const { lifts, clearance } = footOf(() => 0, step, 1);
    for (let frame = 0; frame < COUNT; frame++) expect(Math.abs(clearance[frame] + lifts[frame])).toBeLessThan(0.005);
  });
});

describe('raisedLifts', () => {
  const raise = new Float64Array(COUNT);

  test('a foot in the air that sinks as that of the source does is left alone', () => {
    const sinking = (frame: number): number => 0.1 - 0.01 * frame;
    expect(raisedLifts(footOf(sinking, sinking, 0), PLAN, raise, TIMING)).toEqual(raise);
  });

  test('a foot in the air stays above the floor where that of the source does', () => {
    const dip = (frame: number): number => 0.02 - 0.1 * Math.exp(-(((frame - 30) / 8) ** 2));
    const lifts = raisedLifts(
      footOf(() => 0.1, dip, 0),
      PLAN,
      raise,
      TIMING,
    );
    for (let frame = 0; frame < COUNT; frame++) expect(dip(frame) + lifts[frame]).toBeGreaterThan(-1e-12);
  });

  test('a foot that sinks as after plain retargeting, beside a source that sinks deeper, starts to sink gradually', () => {
    const dip = (frame: number): number => 0.1 - 0.005 * frame;
    const lifts = raisedLifts(
      footOf((frame) => 0.05 - 0.02 * frame, dip, 0),
      PLAN,
      raise,
      TIMING,
    );
    const heights = lifts.map((lift, frame) => dip(frame) + lift);
    expect(heights.at(-1)).toBeCloseTo(dip(COUNT - 1), 6);
    for (let frame = 1; frame + 1 < COUNT; frame++) {
      const bend = heights[frame + 1] - 2 * heights[frame] + heights[frame - 1];
      expect(Math.abs(bend)).toBeLessThan(0.003);
    }
  });
});
