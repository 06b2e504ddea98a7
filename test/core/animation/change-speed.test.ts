import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeSpeed } from '../../../src/core/animation/change-speed.ts';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { referenceSample } from '../../support/reference/interpolation.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

describe('changeSpeed', () => {
  it('equals the original at t · factor, including splines', () => {
    const property = fc.property(track(), fc.double({ min: 0.1, max: 10, noNaN: true }), (source, factor) => {
      const duration = source.times[source.times.length - 1];
      const fast = changeSpeed({ name: '', duration, tracks: [source] }, factor);
      expect(fast.duration).toBe(duration / factor);
      for (const share of [0.01, 0.23, 0.5, 0.77, 0.99]) {
        const time = share * duration;
        if (source.interpolation === 'STEP' && source.times.some((key) => Math.abs(key - time) < 1e-9)) continue;
        const expected = referenceSample({ ...source, values: Float64Array.from(source.values) }, time);
        expectNear(
          referenceSample(fast.tracks[0], time / factor),
          expected,
          source.path === 'rotation' ? 1e-7 : EXACT_CHAIN,
        );
      }
    });
    fc.assert(property, { seed: 7, numRuns: lawRuns(500) });
  });

  it('keeps times shared, and does not change its input', () => {
    const times = new Float32Array([0, 2]);
    const values = new Float32Array(6);
    const old: Clip = {
      name: 'walk',
      duration: 2,
      tracks: [
        { target: 0, path: 'translation', interpolation: 'LINEAR', times, values },
        { target: 1, path: 'translation', interpolation: 'STEP', times, values },
      ],
    };
    const { tracks } = changeSpeed(old, 2);
    expect(Array.from(tracks[0].times)).toEqual([0, 1]);
    expect(tracks[1].times).toBe(tracks[0].times);
    expect(Array.from(times)).toEqual([0, 2]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1e-300])('throws for the speed %s', (factor) => {
    const clip: Clip = { name: '', duration: 1, tracks: [] };
    expect(() => changeSpeed(clip, factor)).toThrow(RangeError);
    expect(() => changeSpeed(clip, factor)).toThrow('expected');
  });
});
