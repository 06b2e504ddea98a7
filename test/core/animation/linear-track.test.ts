import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { denseTrack, linearTrack } from '../../../src/core/animation/linear-track.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { angle, apart } from '../../support/reference/plain.ts';
import { LAW_F64 } from '../../support/tolerances.ts';
import { validateClip } from '../../support/validate-clip.ts';

function valueAt(one: Track, time: number): number[] {
  const out = new Float64Array(one.path === 'rotation' ? 4 : 3);
  sampleTrack(one, time, out, 0);
  return Array.from(out);
}

describe('linearTrack', () => {
  it('returns LINEAR tracks unchanged', () => {
    const [one] = fc.sample(track(['rotation'], ['LINEAR']), { seed: 3, numRuns: 1 });
    expect(linearTrack(one, 0.1)).toBe(one);
  });

  it('limits the keys of a spline that no number of keys follows', () => {
    const times = Float32Array.from({ length: 40 }, (_, key) => key);
    const values = new Float64Array(9 * times.length).fill(1e12);
    const wild: Track = { target: 0, path: 'translation', interpolation: 'CUBICSPLINE', times, values };
    expect(linearTrack(wild, 1e-9).times.length).toBeLessThan(5000);
  });

  it('stays within the tolerance of splines with less than a full rotation between keys', () => {
    const smooth = track(['translation', 'rotation'], ['CUBICSPLINE']).filter(
      (one) => one.path !== 'rotation' || one.times.every((_, key) => key === 0 || dots(one, key) > 0.5),
    );
    const property = fc.property(smooth, (one) => {
      const made = linearTrack(one, 0.01);
      expect(made.interpolation).toBe('LINEAR');
      expect(validateClip({ name: '', duration: 10, tracks: [made] }, 1).reasons).toEqual([]);
      expect(made.times.at(-1)).toBe(Math.fround(one.times.at(-1)!));
      for (let part = 0; part <= 40; part++) {
        const time = one.times[0] + (part / 40) * (one.times.at(-1)! - one.times[0]);
        const [a, b] = [valueAt(one, time), valueAt(made, time)];
        expect(one.path === 'rotation' ? angle(a, b) : apart(a, b)).toBeLessThan(0.01 + LAW_F64);
      }
    });
    fc.assert(property, { seed: 5, numRuns: lawRuns(60) });
  });

  it('preserves the jumps of STEP tracks', () => {
    const property = fc.property(track(['translation', 'rotation'], ['STEP']), (one) => {
      const made = linearTrack(one, 1e-4);
      expect(made.interpolation).toBe('LINEAR');
      one.times.forEach((time, key) => {
        const before = key === 0 ? time : time - 1e-4;
        for (const at of [time, before]) {
          const [a, b] = [valueAt(one, at), valueAt(made, at)];
          expect(one.path === 'rotation' ? angle(a, b) : apart(a, b)).toBeLessThan(1e-4 + LAW_F64);
        }
      });
    });
    fc.assert(property, { seed: 6, numRuns: lawRuns(60) });
  });

  it('keeps a single key', () => {
    const one: Track = {
      target: 4,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float64Array.of(0, 0.6, 0, 0.8),
    };
    expect(linearTrack(one, 0.1)).toEqual({ ...one, interpolation: 'LINEAR' });
  });

  it('throws for a tolerance that is not above 0', () => {
    const [one] = fc.sample(track(['rotation'], ['STEP']), { seed: 3, numRuns: 1 });
    for (const tolerance of [0, -1, Number.NaN]) expect(() => linearTrack(one, tolerance)).toThrow(RangeError);
  });
});

/** Returns the cosine of half the angle between a key of a rotation spline and the previous one. */
function dots({ values }: Track, key: number): number {
  let dot = 0;
  for (let c = 4; c < 8; c++) dot += values[12 * key + c] * values[12 * (key - 1) + c];
  return dot;
}

describe('denseTrack', () => {
  it('stays within the tolerance of splines at any time, with a key at all given times', () => {
    const slow = track(['translation', 'rotation'], ['CUBICSPLINE'])
      .filter((one) => one.path !== 'rotation' || one.times.every((_, key) => key === 0 || dots(one, key) > 0.5))
      .map((one) => ({ ...one, times: one.times.map((time, key) => time + key) }));
    const property = fc.property(slow, (one) => {
      const [first, last] = [one.times[0], one.times.at(-1)!];
      const times = Float32Array.from({ length: 201 }, (_, k) => first + (k / 200) * (last - first));
      const made = denseTrack(one, 0.01, times);
      expect(validateClip({ name: '', duration: 100, tracks: [made] }, 1).reasons).toEqual([]);
      expect(times.every((time) => made.times.includes(time))).toBe(true);
      for (let part = 0; part <= 977; part++) {
        const time = first + (part / 977) * (last - first);
        const [a, b] = [valueAt(one, time), valueAt(made, time)];
        expect(one.path === 'rotation' ? angle(a, b) : apart(a, b)).toBeLessThan(0.01 + LAW_F64);
      }
    });
    fc.assert(property, { seed: 7, numRuns: lawRuns(60) });
  });

  it.each([0, 1])('adds no keys to a jump between two keys that are one float32 step apart, at %d s', (start) => {
    const next = start === 0 ? 2 ** -149 : start + 2 ** -23;
    const jump: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'CUBICSPLINE',
      times: Float32Array.of(start, next, 2),
      values: Float64Array.from([0, 1, 1].flatMap((x) => [0, 0, 0, x, 0, 0, 0, 0, 0])),
    };
    const { times, values } = denseTrack(jump, 1e-4, Float32Array.of(1.5));
    expect(Array.from(times)).toEqual([start, next, 1.5, 2]);
    expect(Array.from(values.filter((_, k) => k % 3 === 0))).toEqual([0, 1, 1, 1]);
  });
});
