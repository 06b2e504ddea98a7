import { describe, expect, it } from 'vitest';
import { SEGMENT } from '../../../../../src/formats/fbx/animation/fbx-curve.ts';
import { type CurveFunction, fitCurves } from '../../../../../src/formats/fbx/write/animation/fit-curves.ts';

/** A function of one number. */
function plain(evaluate: (time: number) => number, tolerance = 1e-4): CurveFunction {
  return {
    width: 1,
    exactWidth: 1,
    evaluate: (time, exact) => {
      exact[0] = evaluate(time);
    },
    follow: (numbers, exact) => numbers.set(exact),
    miss: (numbers, exact) => Math.abs(numbers[0] - exact[0]),
    tolerance,
    kinkTolerance: 10 * tolerance,
    fileUnit: 1,
    start: [0],
  };
}

describe('fitCurves', () => {
  it('keeps straight lines straight, with the keys of the source', () => {
    const { times, values, segments } = fitCurves(
      plain((time) => 3 * time),
      [0, 1, 2.5],
    );
    expect(times).toEqual([0, 1, 2.5]);
    expect(values).toEqual([0, 3, 7.5]);
    expect(new Set(segments)).toEqual(new Set([SEGMENT.LINEAR]));
  });

  it('writes a cubic with its slopes, rounded within the tolerance, and without more keys', () => {
    const { times, segments, slopes } = fitCurves(
      plain((t) => t ** 3 - 2 * t * t + t),
      [0, 2],
    );
    expect(times).toEqual([0, 2]);
    expect(segments).toEqual([SEGMENT.CUBIC, SEGMENT.LINEAR]);
    const step = 2 ** -13;
    expect(slopes.slice(0, 2).map((slope) => Math.round(slope / step) * step)).toEqual([1, 5]);
  });

  it('adds keys only where a cubic is not accurate', () => {
    const bump = (time: number): number => Math.exp(-(((time - 0.2) * 20) ** 2));
    const { times } = fitCurves(plain(bump), [0, 1]);
    expect(times.length).toBeGreaterThan(4);
    expect(times.filter((time) => time > 0.5 && time < 1).length).toBeLessThan(3);
  });

  it('divides at the bends of a function that is not smooth', () => {
    const { times, segments } = fitCurves(
      plain((time) => Math.abs(time - 0.3)),
      [0, 1],
      [0.3],
    );
    expect(times).toEqual([0, 0.3, 1]);
    expect(new Set(segments)).toEqual(new Set([SEGMENT.LINEAR]));
  });

  it('leaves out bends that a curve does not need', () => {
    expect(
      fitCurves(
        plain((time) => time),
        [0, 1],
        [0.25, 0.5],
      ).times,
    ).toEqual([0, 1]);
  });

  it('passes small bends closely if there is one, and at the tolerance for bends if there are several', () => {
    const zigzag = (time: number): number => time + 4e-4 * Math.abs(((8 * time) % 2) - 1);
    expect(fitCurves(plain(zigzag), [0, 0.25], [0.125]).times).toEqual([0, 0.125, 0.25]);
    const bends = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
    expect(fitCurves(plain(zigzag), [0, 1], bends).times).toEqual([0, 1]);
  });

  it('ends for a function that is nowhere smooth', () => {
    const noise = (time: number): number => Math.sin(time * 1e9);
    expect(fitCurves(plain(noise), [0, 1]).times.length).toBeLessThan(3000);
  });
});
