import { describe, expect, it } from 'vitest';
import { Quality } from '../../../src/stage/view/quality.ts';

/** Plays on a machine that needs a number of milliseconds for one canvas pixel per CSS pixel. Returns the ratio of each frame. */
function play(quality: Quality, cost: number, frames = 1000): number[] {
  return Array.from({ length: frames }, () => {
    quality.measure(Math.max(16.7, cost * quality.ratio ** 2));
    return quality.ratio;
  });
}

describe('Quality', () => {
  it('keeps the best quality on a fast machine', () => {
    const quality = new Quality(2);
    expect(new Set(play(quality, 2))).toEqual(new Set([2]));
  });

  it('saves pixels until a slow machine shows 40 frames per second', () => {
    const quality = new Quality(2);
    play(quality, 20);
    expect(20 * quality.ratio ** 2).toBeLessThan(1000 / 40);
    expect(quality.ratio).toBeGreaterThan(0.8);
  });

  it('tries more pixels ever more rarely where they are too slow', () => {
    const quality = new Quality(2);
    // At 1.28 there are 60 frames per second, at 1.6 there are 20.
    const cost = (ratio: number): number => (ratio > 1.3 ? 50 : 16.7);
    const ratios = Array.from({ length: 8000 }, () => {
      quality.measure(cost(quality.ratio));
      return quality.ratio;
    });
    const slowFrames = (from: number): number => ratios.slice(from, from + 4000).filter((ratio) => ratio > 1.3).length;
    expect(slowFrames(4000)).toBeLessThan(0.02 * 4000);
    expect(slowFrames(4000)).toBeLessThan(slowFrames(0));
  });

  it('saves pixels within a second where a frame takes a third of it', () => {
    const quality = new Quality(2);
    for (let frame = 0; frame < 3; frame++) quality.measure(333);
    expect(quality.ratio).toBeLessThan(2);
  });

  it.each([30, 60, 120, 300])(
    'a machine that needs %d ms for all pixels has few enough after three changes, and no fewer',
    (all) => {
      const quality = new Quality(2);
      const frameOf = (ratio: number): number => (all * ratio ** 2) / 4;
      let changes = 0;
      for (let frame = 0; frame < 60; frame++) if (quality.measure(frameOf(quality.ratio))) changes++;
      expect(changes).toBeLessThanOrEqual(3);
      const { ratio } = quality;
      expect(frameOf(ratio)).toBeLessThan(1000 / 40);
      expect(frameOf(ratio / 0.8)).toBeGreaterThan(1000 / 40);
    },
  );

  it('two frames that are late cost no more than one step', () => {
    const quality = new Quality(2);
    for (let frame = 0; frame < 2; frame++) quality.measure(250);
    expect(quality.ratio).toBeCloseTo(1.6);
  });

  it('a single frame that is late costs no more than one step', () => {
    const quality = new Quality(2);
    quality.measure(3000);
    expect(quality.ratio).toBe(1.6);
  });

  it('keeps half of the resolution on a machine that is too slow in any case', () => {
    const quality = new Quality(1);
    play(quality, 1000);
    expect(quality.ratio).toBe(0.5);
  });

  it('adds pixels again when the machine is faster', () => {
    const quality = new Quality(1);
    for (let frame = 0; frame < 40; frame++) quality.measure(35);
    const slow = quality.ratio;
    expect(slow).toBeLessThan(1);
    for (let frame = 0; frame < 40; frame++) quality.measure(60);
    const slower = quality.ratio;
    expect(slower).toBeLessThan(slow);
    play(quality, 1);
    expect(quality.ratio).toBe(1);
  });
});
