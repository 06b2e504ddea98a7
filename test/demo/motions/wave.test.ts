import { describe, expect, it } from 'vitest';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { makeWave } from '../../../src/demo/motions/wave.ts';
import { expectPlanted, expectSound, FIGURES, flatFrames, framesOf } from './motion-checks.ts';

describe.each(FIGURES)('makeWave of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const wave = makeWave(figure);
  const frames = framesOf(wave);

  it('keeps both feet planted', () => {
    expectPlanted(figure, frames);
    for (const side of ['left', 'right'] as const) {
      expect(flatFrames(figure, frames, side).length).toBe(frames.times.length);
    }
  });

  it('is plausible: legs reach, knees bend backwards, bones do not jump', () => {
    expectSound(wave, frames);
  });

  it('raises the right hand above the shoulder, beside the trunk, and swings it at least three times', () => {
    const raised = frames.times.flatMap((time, frame) => (time > 1 && time < 2.4 ? [frame] : []));
    let swings = 0;
    let last = 0;
    for (const frame of raised) {
      const hand = frames.position(frame, 'rightMiddleDistal');
      const elbow = frames.position(frame, 'rightLowerArm');
      expect(hand[1]).toBeGreaterThan(frames.position(frame, 'rightUpperArm')[1] + 0.3 * proportions.arm);
      expect(hand[0]).toBeLessThan(-0.5 * proportions.shoulderWidth);
      const side = Math.sign(hand[0] - elbow[0]);
      if (side !== 0 && side !== last) swings++;
      last = side;
    }
    expect(swings).toBeGreaterThanOrEqual(4);
  });

  it('starts and ends with both hands down', () => {
    for (const frame of [0, frames.times.length - 1]) {
      for (const side of ['left', 'right'] as const) {
        expect(frames.position(frame, `${side}Hand`)[1]).toBeLessThan(frames.position(frame, 'spine')[1]);
      }
    }
  });
});
