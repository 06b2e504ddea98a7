import { describe, expect, it } from 'vitest';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { makePose } from '../../../src/demo/figure/pose.ts';
import { makeDance } from '../../../src/demo/motions/dance.ts';
import { expectPlanted, expectSound, FIGURES, flatFrames, framesOf, runs } from './motion-checks.ts';

describe.each(FIGURES)('makeDance of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const dance = makeDance(figure);
  const frames = framesOf(dance);

  it('keeps planted feet still', () => {
    expectPlanted(figure, frames);
  });

  it('is plausible: legs reach, knees bend backwards, toes clear the ground, bones do not jump', () => {
    expectSound(dance, frames);
  });

  it('steps aside and closes with each foot twice and never lifts both', () => {
    const flat = { left: flatFrames(figure, frames, 'left'), right: flatFrames(figure, frames, 'right') };
    expect(runs(flat.left).length).toBeGreaterThanOrEqual(4);
    expect(runs(flat.right).length).toBeGreaterThanOrEqual(4);
    for (const frame of frames.times.keys()) expect(flat.left.includes(frame) || flat.right.includes(frame)).toBe(true);
  });

  it('ends in the pose in which it begins', () => {
    const [first, last] = [makePose(figure), makePose(figure)];
    dance.pose(first, 0);
    dance.pose(last, dance.duration);
    for (const [k, value] of last.deltas.entries()) expect(value).toBeCloseTo(first.deltas[k], 9);
    for (const [k, value] of last.hips.entries()) expect(value).toBeCloseTo(first.hips[k], 9);
  });
});
