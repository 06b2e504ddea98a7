import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { fitPolyline, polylineTrack, tightenPolyline } from '../../../src/core/animation/fit-polyline.ts';
import { difference } from '../../../src/core/animation/resample.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { POLYLINE_RATIO } from '../../support/tolerances.ts';

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

function constant({ times }: Track, tolerance: number): Float64Array {
  return new Float64Array(times.length).fill(tolerance);
}

/**
 * Counts the keys of the polyline of values of a curve, from each on the longest chord that all values between allow: they are at most the tolerance off, and no
 * rotation is longer than half a radian.
 */
function countChordKeys({ path, times, values }: Track, tolerance: number): number {
  const width = path === 'rotation' ? 4 : 3;
  const between = new Float64Array(4);
  const isWithin = (start: number, end: number): boolean => {
    const length = difference(values, width * start, values, width * end, width, width === 4);
    if (width === 4 && end > start + 1 && length > 0.5) return false;
    for (let key = start + 1; key < end; key++) {
      const t = (times[key] - times[start]) / (times[end] - times[start]);
      if (width === 4) quat.slerp(between, 0, values, 4 * start, values, 4 * end, t);
      else for (let c = 0; c < 3; c++) between[c] = (1 - t) * values[3 * start + c] + t * values[3 * end + c];
      if (difference(between, 0, values, width * key, width, width === 4) > tolerance) return false;
    }
    return true;
  };
  let count = 1;
  for (let start = 0; start + 1 < times.length; count++) {
    let end = start + 1;
    while (end + 1 < times.length && isWithin(start, end + 1)) end++;
    start = end;
  }
  return count;
}

const CASES = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(0.002, 0.02, 0.2));

describe('fitPolyline', () => {
  it('stays within the tolerance of any curve at any time, with its ends and at most its keys', () => {
    const property = fc.property(CASES, ([seed, tolerance]) => {
      const curve = randomCurve(seed);
      const fitted = polylineTrack(fitPolyline(curve, constant(curve, tolerance)));
      const [from, to] = [curve.times[0], curve.times[curve.times.length - 1]];
      expect(largestDifference(curve, fitted, from, to)).toBeLessThanOrEqual(tolerance * POLYLINE_RATIO);
      for (const time of [from, to]) expect(largestDifference(curve, fitted, time, time)).toBeLessThan(1e-7);
      expect(Array.from(fitted.times).every((time) => curve.times.includes(time))).toBe(true);
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns(1000) });
  });

  it('never has more keys than longest chords through values of the curve', () => {
    const property = fc.property(CASES, ([seed, tolerance]) => {
      const curve = randomCurve(seed);
      expect(fitPolyline(curve, constant(curve, tolerance)).keys.length).toBeLessThanOrEqual(
        countChordKeys(curve, tolerance),
      );
    });
    fc.assert(property, { seed: 5, numRuns: lawRuns(1000) });
  });

  it('stays within smaller tolerances where they are tightened, and changes only where it says', () => {
    const property = fc.property(CASES, fc.double({ min: 0.05, max: 1, noNaN: true }), ([seed, tolerance], share) => {
      const curve = randomCurve(seed);
      const polyline = fitPolyline(curve, constant(curve, tolerance));
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
    const fitted = polylineTrack(fitPolyline(curve, constant(curve, 0.02), grid));
    expect(Array.from(fitted.times).every((time) => grid.includes(time))).toBe(true);
  });
});
