import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { keyReasons } from '../../../src/core/animation/key-reasons.ts';
import { trimKeys } from '../../../src/core/animation/trim-keys.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { referenceSample } from '../../support/reference/interpolation.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

function trimmed(source: Track, from: number, to: number): Track {
  return {
    ...source,
    ...trimKeys(source, source.path === 'rotation' ? 4 : 3, source.path === 'rotation', from, to),
  };
}

/** A track, a range, and a position in the range. */
const CASES = fc.tuple(track(), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));

/** Positions in a range, including its ends. */
const SHARES = [0, 0.01, 0.2, 0.37, 0.5, 0.63, 0.8, 0.99, 1];

function rangeOf(source: Track, a: number, b: number): [from: number, to: number] {
  const length = source.times[source.times.length - 1] + 0.3;
  const [from, to] = [Math.min(a, b) * length, Math.max(a, b) * length];
  return [from, Math.max(to, from + 1e-3)];
}

describe('trimKeys', () => {
  it('equals the original at any time of the range, for any cut', () => {
    const property = fc.property(CASES, ([source, a, b]) => {
      fc.pre(source.interpolation !== 'CUBICSPLINE' || source.path !== 'rotation');
      const [from, to] = rangeOf(source, a, b);
      const part = trimmed(source, from, to);
      expect(keyReasons(part)).toEqual([]);
      for (const share of SHARES) {
        const time = share * (to - from);
        // A time close to a jump may be rounded to its other side.
        if (source.interpolation === 'STEP' && source.times.some((key) => Math.abs(key - from - time) < 1e-9)) continue;
        const expected = referenceSample(source, from + time);
        const compare = source.path === 'rotation' ? expectSameRotation : expectNear;
        compare(referenceSample(part, time), expected, source.values instanceof Float32Array ? 1e-6 : EXACT_CHAIN);
      }
    });
    fc.assert(property, { seed: 5, numRuns: lawRuns(2000) });
  });

  it('keeps the polynomial of vector splines, and adds keys only at the cuts', () => {
    const source: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 2]),
      values: new Float64Array([0, 0, 0, 1, 2, 3, 4, -5, 6, 7, 8, -9, -1, 0, 1, 0, 0, 0]),
    };
    const part = trimmed(source, 0.25, 1.5);
    expect(Array.from(part.times)).toEqual([0, 1.25]);
    for (const time of [0, 0.1, 0.6, 1.1, 1.25]) {
      expectNear(referenceSample(part, time), referenceSample(source, time + 0.25), 1e-14);
    }
  });

  it('keeps rotation splines normalized at the keys, and within 1e-7 radians', () => {
    const property = fc.property(
      track(['rotation'], ['CUBICSPLINE']),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (source, a, b) => {
        // Neighboring keys are close to each other, as in real motions; random splines pass through zero.
        const values = Float64Array.from(source.values);
        for (let i = 0; i < values.length; i += 12) {
          for (let c = 0; c < 4; c++) values[i + 4 + c] = values[4 + c] + 0.3 * (values[i + 4 + c] - values[4 + c]);
          const length = Math.hypot(...values.subarray(i + 4, i + 8));
          fc.pre(length > 0.5);
          for (let c = 4; c < 8; c++) values[i + c] /= length;
        }
        const smooth = { ...source, values };
        const [from, to] = rangeOf(smooth, a, b);
        for (let time = from; time < to; time += (to - from) / 64) {
          fc.pre(splineLength(smooth, time) > 0.5);
        }
        const part = trimmed(smooth, from, to);
        expect(keyReasons(part)).toEqual([]);
        for (const share of SHARES) {
          const time = share * (to - from);
          // Half of the angle per component.
          expectSameRotation(unit(referenceSample(part, time)), unit(referenceSample(smooth, from + time)), 1e-7);
        }
      },
    );
    fc.assert(property, { seed: 6, numRuns: lawRuns(500) });
  });

  it('returns one key with the nearest value for a range outside of all keys, STEP for a spline', () => {
    const source: Track = {
      target: 3,
      path: 'scale',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([1, 2]),
      values: new Float32Array([0, 0, 0, 1, 2, 3, 4, -5, 6, 7, 8, -9, 4, 5, 6, 0, 0, 0]),
    };
    const before = trimmed(source, 0, 1);
    expect([before.interpolation, ...before.times, ...before.values]).toEqual(['STEP', 0, 1, 2, 3]);
    const after = trimmed(source, 2, 3);
    expect([after.interpolation, ...after.times, ...after.values]).toEqual(['STEP', 0, 4, 5, 6]);
  });

  it('keeps the pause before the first key', () => {
    const source: Track = {
      target: 0,
      path: 'scale',
      interpolation: 'LINEAR',
      times: new Float32Array([1, 2]),
      values: new Float32Array([1, 1, 1, 2, 2, 2]),
    };
    expect(Array.from(trimmed(source, 0.5, 1.75).times)).toEqual([0.5, 1.25]);
    expect(Array.from(trimmed(source, 0.5, 1.75).values)).toEqual([1, 1, 1, 1.75, 1.75, 1.75]);
  });

  it('trims keys of any width', () => {
    const keys = {
      interpolation: 'LINEAR',
      times: new Float32Array([0, 1]),
      values: new Float32Array([0, 8]),
    } as const;
    expect(Array.from(trimKeys(keys, 1, false, 0.25, 0.75).values)).toEqual([2, 6]);
    const five = {
      interpolation: 'STEP',
      times: new Float32Array([0, 1]),
      values: new Float32Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    } as const;
    expect(Array.from(trimKeys(five, 5, false, 0.5, 1.5).values)).toEqual(Array.from(five.values));
    expect(Array.from(trimKeys(five, 5, false, 0.5, 1.5).times)).toEqual([0, 0.5]);
  });
});

function unit(q: readonly number[]): number[] {
  return q.map((x) => x / Math.hypot(...q));
}

/** Returns the length of the quaternion of a rotation spline at a time, before normalization. */
function splineLength({ times, values }: Track, time: number): number {
  let k = 0;
  while (k + 2 < times.length && times[k + 1] <= time) k++;
  const td = times[k + 1] - times[k];
  const t = Math.min(1, Math.max(0, (time - times[k]) / td));
  const v = (element: number, c: number): number => values[(3 * k + element) * 4 + c];
  return Math.hypot(
    ...[0, 1, 2, 3].map(
      (c) =>
        (2 * t ** 3 - 3 * t ** 2 + 1) * v(1, c) +
        td * (t ** 3 - 2 * t ** 2 + t) * v(2, c) +
        td * (t ** 3 - t ** 2) * v(3, c) +
        (3 * t ** 2 - 2 * t ** 3) * v(4, c),
    ),
  );
}
