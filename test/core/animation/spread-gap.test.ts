import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { spreadGap } from '../../../src/core/animation/spread-gap.ts';
import { keyReasons } from '../../../src/core/animation/validate-clip.ts';
import { rotation, track, vector } from '../../arbitraries.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { referenceSample } from '../../reference/interpolation.ts';
import { angle } from '../../reference/plain.ts';
import { EXACT_CHAIN } from '../../tolerances.ts';

function lastTime({ times }: Track): number {
  return times[times.length - 1];
}

describe('spreadGap', () => {
  it('ends at the wanted value and starts as before, wherever the keys begin and end', () => {
    const property = fc.property(
      track(),
      rotation(),
      vector(),
      fc.constantFrom(0, 0.5),
      (source, turn, point, rest) => {
        const isRotation = source.path === 'rotation';
        // Wild rotation splines run through zero; they are tested below, smooth.
        fc.pre(!isRotation || source.interpolation !== 'CUBICSPLINE');
        const duration = lastTime(source) + rest;
        const end = Float64Array.from(isRotation ? turn : point);
        const closed = spreadGap(source, end, duration);
        expect(keyReasons(closed)).toEqual([]);
        expect(closed.interpolation).toBe(source.interpolation);
        const compare = isRotation ? expectSameRotation : expectNear;
        compare(referenceSample(closed, duration), end, 1e-9);
        compare(referenceSample(closed, 0), referenceSample(source, 0), 1e-6);
      },
    );
    fc.assert(property, { seed: 8, numRuns: 1000 });
  });

  it('adds the same share to a vector in every moment, to a spline exactly', () => {
    const property = fc.property(track(['translation'], ['LINEAR', 'CUBICSPLINE']), vector(), (source, end) => {
      const duration = lastTime(source) + 0.25;
      const closed = spreadGap(source, Float64Array.from(end), duration);
      const old = referenceSample(source, duration);
      for (const share of [0.1, 0.37, 0.5, 0.9]) {
        const expected = referenceSample({ ...source, values: Float64Array.from(source.values) }, share * duration);
        expectNear(
          referenceSample(closed, share * duration),
          expected.map((x, c) => x + share * (end[c] - old[c])),
          source.interpolation === 'LINEAR' ? 1e-6 : EXACT_CHAIN,
        );
      }
    });
    fc.assert(property, { seed: 9, numRuns: 300 });
  });

  it('turns a rotation by an even share at its keys, and makes a spline LINEAR', () => {
    const source: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 1]),
      values: new Float64Array([0, 0, 0, 0, 0, 0, 0, 1, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.6, 0, 0.8, 0, 0, 0, 0]),
    };
    const closed = spreadGap(source, new Float64Array([0, 0, 0, 1]), 1);
    expect(closed.interpolation).toBe('LINEAR');
    const whole = 2 * Math.atan2(0.6, 0.8);
    for (const time of closed.times) {
      const gap = angle(referenceSample(closed, time), referenceSample(source, time));
      expect(gap).toBeCloseTo(whole * time, 6);
    }
  });
});
