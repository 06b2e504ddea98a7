import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { distributeOffset } from '../../../src/core/animation/distribute-offset.ts';
import { keyReasons } from '../../../src/core/animation/key-reasons.ts';
import { rotation, track, vector } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { referenceSample } from '../../support/reference/interpolation.ts';
import { angle } from '../../support/reference/plain.ts';
import { EXACT_CHAIN, RESAMPLED_RADIANS } from '../../support/tolerances.ts';

function lastTime({ times }: Track): number {
  return times[times.length - 1];
}

describe('distributeOffset', () => {
  it('ends at the new value and keeps the first one, for any key range', () => {
    const property = fc.property(
      track(),
      rotation(),
      vector(),
      fc.constantFrom(0, 0.5),
      (source, turn, point, rest) => {
        const isRotation = source.path === 'rotation';
        // Random rotation splines pass through zero; a smooth one is tested below.
        fc.pre(!isRotation || source.interpolation !== 'CUBICSPLINE');
        const duration = lastTime(source) + rest;
        const end = Float64Array.from(isRotation ? turn : point);
        const closed = distributeOffset(source, end, duration);
        expect(keyReasons(closed)).toEqual([]);
        expect(closed.interpolation).toBe(source.interpolation);
        const compare = isRotation ? expectSameRotation : expectNear;
        compare(referenceSample(closed, duration), end, 1e-9);
        compare(referenceSample(closed, 0), referenceSample(source, 0), 1e-6);
      },
    );
    fc.assert(property, { seed: 8, numRuns: lawRuns(1000) });
  });

  it('adds a linear offset to vectors at any time, exact for splines', () => {
    const property = fc.property(track(['translation'], ['LINEAR', 'CUBICSPLINE']), vector(), (source, end) => {
      const duration = lastTime(source) + 0.25;
      const closed = distributeOffset(source, Float64Array.from(end), duration);
      const old = referenceSample(source, duration);
      for (const part of [0.1, 0.37, 0.5, 0.9]) {
        const expected = referenceSample({ ...source, values: Float64Array.from(source.values) }, part * duration);
        expectNear(
          referenceSample(closed, part * duration),
          expected.map((x, c) => x + part * (end[c] - old[c])),
          source.interpolation === 'LINEAR' ? 1e-6 : EXACT_CHAIN,
        );
      }
    });
    fc.assert(property, { seed: 9, numRuns: lawRuns(300) });
  });

  it('adds a linear rotation to splines, within 0.005° at any time, with few more keys', () => {
    const source: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 1]),
      values: new Float64Array([0, 0, 0, 0, 0, 0, 0, 1, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.6, 0, 0.8, 0, 0, 0, 0]),
    };
    const closed = distributeOffset(source, new Float64Array([0, 0, 0, 1]), 1);
    expect([closed.interpolation, keyReasons(closed)]).toEqual(['CUBICSPLINE', []]);
    expect(closed.times.length).toBeLessThan(10);
    expect(Array.from(closed.values.slice(-8, -4), Math.abs)).toEqual([0, 0, 0, 1]);
    const whole = 2 * Math.atan2(0.6, 0.8);
    for (let time = 0; time <= 1; time += 0.013) {
      const gap = angle(referenceSample(closed, time), referenceSample(source, time));
      expect(Math.abs(gap - whole * time)).toBeLessThan(RESAMPLED_RADIANS);
    }
  });
});
