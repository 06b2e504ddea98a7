import { describe, expect, test } from 'vitest';
import type { CharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import type { ContactPlan } from '../../../../src/core/contacts/plan/contact-plan.ts';
import { findFlightHeight } from '../../../../src/core/contacts/plan/flight-height.ts';

const COUNT = 61;
const TIMING = { step: 1 / 60, loops: false };

/** A character with one leg of a length, whose sole is as high as a function of the frame says; its trunk is half a meter up. */
function character(length: number, sole: (frame: number) => number): CharacterFrames {
  const clearance = Float64Array.from({ length: COUNT }, (_, frame) => sole(frame));
  const left = { leg: { length }, clearance } as unknown as CharacterFrames['legs']['left'];
  return {
    grid: { start: 0, count: COUNT, step: TIMING.step },
    arms: { left: null, right: null },
    legs: { left, right: null },
    floors: new Float64Array(COUNT),
    clearance: new Float64Array(COUNT).fill(0.5),
    pelvis: new Float64Array(COUNT).fill(0.5),
    seated: new Uint8Array(COUNT),
  };
}

function planOf(hipsScale: number, mode: ContactPlan['mode'] = 'auto'): ContactPlan {
  return { mode, retarget: { hipsScale } } as ContactPlan;
}

const NOTHING = { heights: new Float64Array(COUNT), weights: new Float64Array(COUNT) };

const jump = (height: number) => (frame: number) => height * Math.max(0, Math.sin((Math.PI * (frame - 15)) / 30));

describe('findFlightHeight', () => {
  test('lowers a character in the air to the height of its source, scaled', () => {
    const { heights: raise, weights } = findFlightHeight(
      planOf(2),
      character(0.4, jump(0.05)),
      character(0.8, jump(0.3)),
      TIMING,
    );
    // At the top: 0.3 m, but twice 0.05 m are explained. Smoothing takes some of the peak.
    expect(raise[30]).toBeLessThan(-0.18);
    expect(raise[30]).toBeGreaterThan(-0.2);
    expect(raise[0]).toBe(0);
    expect(Math.max(...raise)).toBeLessThanOrEqual(0);
    expect(weights[30]).toBeGreaterThan(0.9);
  });

  test('changes nothing where the target is as high as the source, or a little higher', () => {
    const flight = findFlightHeight(planOf(1), character(0.8, jump(0.3)), character(0.8, jump(0.307)), TIMING);
    expect(flight).toEqual(NOTHING);
  });

  test('keeps to the height of the source for a moment after it has landed: contacts of the feet take over gradually', () => {
    const flying = character(0.4, (frame) => (frame < 30 ? 0.05 : 0));
    const floating = character(0.4, (frame) => (frame < 30 ? 0.25 : 0.2));
    const { heights } = findFlightHeight(planOf(1), flying, floating, TIMING);
    expect(heights[10]).toBeCloseTo(-0.2, 6);
    expect(heights[33]).toBeLessThan(-0.1);
    expect(heights[60]).toBe(0);
  });

  test('changes nothing while the source is on the ground, and for contacts that only raise', () => {
    const floating = character(0.8, () => 0.2);
    expect(
      findFlightHeight(
        planOf(1),
        character(0.8, () => 0),
        floating,
        TIMING,
      ),
    ).toEqual(NOTHING);
    const leaping = character(0.8, jump(0.1));
    expect(findFlightHeight(planOf(1, 'ground'), leaping, character(0.8, jump(0.4)), TIMING)).toEqual(NOTHING);
  });
});
