import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { fitPolyline, polylineTrack, tightenPolyline } from '../../../src/core/animation/fit-polyline.ts';
import { difference } from '../../../src/core/animation/resample.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { lawRuns } from '../../law-runs.ts';
import { POLYLINE_RATIO } from '../../tolerances.ts';

/** Returns a LINEAR curve: a smooth motion with noise, jumps, repeated values and quaternions of either sign. */
function randomCurve(seed: number): Track {
  const random = makeRandom(seed);
  const count = 2 + Math.floor(random() * 80);
  const isRotation = random() < 0.6;
  const [speed, noise, jumps] = [random() * 20, random() < 0.5 ? 0 : random() * 0.02, random() < 0.3 ? 0.1 : 0];
  const times: number[] = [];
  const values: number[] = [];
  let time = random();
  let angle = 0;
  for (let key = 0; key < count; key++) {
    times.push(time);
    time += random() < 0.1 ? 1e-5 : random() / 10;
    if (random() < jumps) angle += 3 * random();
    if (random() < 0.1 && key > 0) values.push(...values.slice(isRotation ? -4 : -3));
    else if (!isRotation) values.push(Math.sin(speed * time) + noise * random(), angle, noise * random());
    else {
      const half = (angle + speed * time) / 2;
      const sign = random() < 0.1 ? -1 : 1;
      const value = [Math.sin(half) + noise * random(), noise * random(), noise * random(), Math.cos(half)];
      quat.normalize(value as unknown as Float64Array, 0, value, 0);
      values.push(...value.map((component) => sign * component));
    }
  }
  const path = isRotation ? 'rotation' : 'translation';
  return {
    target: 0,
    path,
    interpolation: 'LINEAR',
    times: Float64Array.from(times),
    values: Float64Array.from(values),
  };
}

/** Returns the greatest difference of two tracks between two times. */
function largestDifference(a: Track, b: Track, from: number, to: number): number {
  const width = a.path === 'rotation' ? 4 : 3;
  const [x, y] = [new Float64Array(4), new Float64Array(4)];
  let largest = 0;
  for (const time of [...a.times, ...Array.from({ length: 500 }, (_, k) => from + (k / 499) * (to - from))]) {
    if (time < from || time > to) continue;
    sampleTrack(a, time, x, 0);
    sampleTrack(b, time, y, 0);
    largest = Math.max(largest, difference(x, 0, y, 0, width, width === 4));
  }
  return largest;
}

const CASES = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(0.002, 0.02, 0.2));

describe('fitPolyline', () => {
  it('stays within the tolerance of any curve at any time, with its ends and at most its keys', () => {
    const property = fc.property(CASES, ([seed, tolerance]) => {
      const curve = randomCurve(seed);
      const fitted = polylineTrack(fitPolyline(curve, tolerance));
      const [from, to] = [curve.times[0], curve.times[curve.times.length - 1]];
      expect(largestDifference(curve, fitted, from, to)).toBeLessThanOrEqual(tolerance * POLYLINE_RATIO);
      for (const time of [from, to]) expect(largestDifference(curve, fitted, time, time)).toBeLessThan(1e-7);
      expect(Array.from(fitted.times).every((time) => curve.times.includes(time))).toBe(true);
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns(1000) });
  });

  it('stays within smaller tolerances where they are tightened, and changes only where it says', () => {
    const property = fc.property(CASES, fc.double({ min: 0.05, max: 1, noNaN: true }), ([seed, tolerance], share) => {
      const curve = randomCurve(seed);
      const polyline = fitPolyline(curve, tolerance);
      const before = polylineTrack(polyline);
      const at = Math.min(before.times.length - 2, Math.floor(share * before.times.length));
      const [changed] = tightenPolyline(polyline, new Map([[at, 0.1]]));
      const after = polylineTrack(polyline);
      const tight = largestDifference(curve, after, before.times[at], before.times[at + 1]);
      expect(tight).toBeLessThanOrEqual(0.1 * tolerance * POLYLINE_RATIO + 1e-7);
      const [from, to] = changed.map((key) => curve.times[key]);
      expect(largestDifference(curve, after, curve.times[0], curve.times[curve.times.length - 1])).toBeLessThanOrEqual(
        tolerance * POLYLINE_RATIO,
      );
      expect(largestDifference(before, after, curve.times[0], from)).toBeLessThan(1e-7);
      expect(largestDifference(before, after, to, curve.times[curve.times.length - 1])).toBeLessThan(1e-7);
    });
    fc.assert(property, { seed: 4, numRuns: lawRuns(1000) });
  });

  it('puts keys at times of the grid where these are close enough', () => {
    const times = Float64Array.from({ length: 401 }, (_, key) => key / 400);
    const values = Float64Array.from({ length: 1203 }, (_, k) => (k % 3 === 0 ? Math.cos(6 * times[k / 3]) : 0));
    const curve: Track = { target: 0, path: 'translation', interpolation: 'LINEAR', times, values };
    const grid = times.filter((_, key) => key % 10 === 0);
    const fitted = polylineTrack(fitPolyline(curve, 0.02, grid));
    expect(Array.from(fitted.times).every((time) => grid.includes(time))).toBe(true);
  });
});
