import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Clip, lastKeyTime } from '../../../src/core/animation/clip.ts';
import { uniformTimes } from '../../../src/core/animation/resample.ts';
import { resampleClip } from '../../../src/core/animation/resample-clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { validateClip } from '../../support/validate-clip.ts';

it('resampleClip: samples every frame, keeps quaternions in one hemisphere, and keeps STEP tracks', () => {
  const property = fc.property(track(), fc.constantFrom(10, 24, 29.97), (one, fps) => {
    const clip: Clip = { name: 'walk', duration: lastKeyTime([one]), tracks: [one] };
    const resampled = resampleClip(clip, fps);
    expect([resampled.name, resampled.duration]).toEqual([clip.name, clip.duration]);
    expect(validateClip(resampled, 1).reasons).toEqual([]);
    const [made] = resampled.tracks;
    if (one.interpolation === 'STEP') {
      expect(made).toBe(one);
      return;
    }
    expect(made.interpolation).toBe('LINEAR');
    expect(made.values.constructor).toBe(one.values.constructor);
    expect([...made.times]).toEqual([...uniformTimes(clip.duration, fps)]);
    const width = one.path === 'rotation' ? 4 : 3;
    const expected = one.values instanceof Float64Array ? new Float64Array(width) : new Float32Array(width);
    made.times.forEach((time, key) => {
      sampleTrack(one, time, expected, 0);
      const value = made.values.subarray(key * width, key * width + width);
      if (width === 3) expectNear(value, expected, 0);
      else expectSameRotation(value, expected, 0);
      if (width === 3 || key === 0) return;
      expect(quat.dot(made.values, key * 4 - 4, made.values, key * 4)).toBeGreaterThanOrEqual(0);
    });
  });
  fc.assert(property, { seed: 50, numRuns: lawRuns(200) });
});

it('resampleClip: shares one array of times between tracks', () => {
  const [a, b] = fc.sample(track(['rotation'], ['LINEAR']), { seed: 51, numRuns: 2 });
  const { tracks } = resampleClip({ name: '', duration: 2, tracks: [a, b] }, 30);
  expect(tracks[0].times).toBe(tracks[1].times);
});
