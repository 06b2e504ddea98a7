import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultKeyLimit,
  resampleFunction,
  type TimeFunction,
  uniformTimes,
  unionTimes,
} from '../../../src/core/animation/resample.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import { float32Below } from '../../../src/core/math/float32.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';

const TOLERANCE = 1e-4;

/** Returns the largest error of the keys of a function, on a grid finer than the keys. */
function worst(source: TimeFunction): number {
  const { times, values } = resampleFunction(source);
  const { width, isRotation } = source;
  const path = isRotation ? ('rotation' as const) : ('translation' as const);
  const made = { target: 0, path, interpolation: 'LINEAR' as const, times, values };
  const [a, b] = [new Float64Array(width), new Float64Array(width)];
  const end = times[times.length - 1];
  let error = 0;
  for (let step = 0; step <= 3000; step++) {
    const time = Math.fround(times[0] + (step / 3000) * (end - times[0]));
    sampleTrack(made, time, a, 0);
    source.evaluate(time, b, 0);
    error = Math.max(error, isRotation ? quat.angleBetween(a, 0, b, 0) : Math.hypot(...a.map((x, c) => x - b[c])));
  }
  return error;
}

/** A rotation about z by an angle that is a function of time. */
function rotating(angle: (time: number) => number, keyTimes: number[], rest: Partial<TimeFunction> = {}): TimeFunction {
  const evaluate = (time: number, out: Floats, o: number): void => {
    quat.set(out, o, 0, 0, Math.sin(angle(time) / 2), Math.cos(angle(time) / 2));
  };
  return {
    width: 4,
    isRotation: true,
    keyTimes: Float64Array.from(keyTimes),
    tolerance: TOLERANCE,
    evaluate,
    ...rest,
  };
}

function isRising(times: ArrayLike<number>): boolean {
  return Array.from(times).every((time, k) => k === 0 || time > times[k - 1]);
}

describe('uniformTimes', () => {
  it('returns frame / fps, each rounded separately, and the end', () => {
    expect([...uniformTimes(1, 4)]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...uniformTimes(0.6, 4)]).toEqual([0, 0.25, 0.5, Math.fround(0.6)]);
    expect([...uniformTimes(0, 30)]).toEqual([0]);
    const hour = uniformTimes(3600, 60);
    expect(hour).toHaveLength(216_001);
    hour.forEach((time, frame) => {
      if (time !== Math.fround(frame / 60)) expect.fail(`frame ${frame} is at ${time}`);
    });
  });

  it('returns one time where the last frame is at the end except for rounding', () => {
    for (const [frames, fps] of [
      [73, 30],
      [100, 29.97],
      [7, 3],
    ]) {
      for (const duration of [frames / fps, Math.fround(frames / fps), (frames + 5e-4) / fps]) {
        const times = uniformTimes(duration, fps);
        expect(times).toHaveLength(frames + 1);
        expect(times[frames]).toBe(Math.fround(duration));
      }
    }
  });

  it('increases strictly from 0 to the end, for any numbers', () => {
    const property = fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 0.01, max: 1000, noNaN: true }),
      (duration, fps) => {
        const times = uniformTimes(duration, fps);
        expect(times[times.length - 1]).toBe(Math.fround(duration));
        expect(times.length === 1 || times[0] === 0).toBe(true);
        return isRising(times);
      },
    );
    fc.assert(property, { seed: 40, numRuns: lawRuns(200) });
  });

  it('throws for invalid rates and durations before it allocates memory', () => {
    for (const fps of [0, -1, NaN, Number.POSITIVE_INFINITY])
      expect(() => uniformTimes(1, fps)).toThrow(/frame rate is .* above 0/);
    for (const duration of [-1, NaN, Number.POSITIVE_INFINITY, 1e30])
      expect(() => uniformTimes(duration, 30)).toThrow(RangeError);
  });
});

describe('unionTimes', () => {
  it('returns every time once, ascending', () => {
    const one = Float32Array.of(0, 0.5, 1);
    expect([...unionTimes([one, Float64Array.of(0.25, 0.5, 2), one, new Float32Array(0)])]).toEqual([
      0, 0.25, 0.5, 1, 2,
    ]);
    expect([...unionTimes([])]).toEqual([]);
  });
});

describe('resampleFunction', () => {
  it('adds no keys to a linear function', () => {
    const keys = resampleFunction(rotating((t) => t, [0, 1, 2.5]));
    expect([...keys.times]).toEqual([0, 1, 2.5]);
    const line = resampleFunction({
      width: 3,
      isRotation: false,
      keyTimes: Float32Array.of(0, 2),
      tolerance: 1e-9,
      evaluate: (t, out, o) => out.set([t, 2 * t, 1 - t], o),
    });
    expect([...line.values]).toEqual([0, 0, 1, 2, 4, -1]);
  });

  it('halves intervals until slerp matches the function, without many extra keys', () => {
    const source = rotating((t) => t * t, [0, 1]);
    expect(worst(source)).toBeLessThanOrEqual(TOLERANCE);
    // The error of chords of t² over steps of h is h² / 4.
    const count = resampleFunction(source).times.length;
    expect(count).toBeLessThan(2.1 * Math.sqrt(1 / (4 * TOLERANCE)));
    expect(worst({ ...source, tolerance: 1e-6 })).toBeLessThanOrEqual(1e-6);
  });

  it('adds keys only where needed', () => {
    const { times } = resampleFunction(rotating((t) => Math.max(0, t - 3) ** 2, [0, 1, 2, 3, 4]));
    expect([...times.subarray(0, 4)]).toEqual([0, 1, 2, 3]);
    expect(times.length).toBeGreaterThan(20);
  });

  it('detects errors that vanish in the middle, and several full rotations', () => {
    expect(worst(rotating((t) => Math.sin(2 * Math.PI * t) * 0.3, [0, 1]))).toBeLessThanOrEqual(TOLERANCE);
    for (const rotations of [0.5, 0.9, 1, 1.5, 2, 3, 4, 8])
      expect(worst(rotating((t) => 2 * Math.PI * rotations * t, [0, 1]))).toBeLessThanOrEqual(TOLERANCE);
  });

  it('stays within the tolerance for products of tracks of every kind', () => {
    const rotations = track(['rotation']);
    const property = fc.property(rotations, rotations, (a, b) => {
      const scratch = new Float64Array(4);
      const jumps = [a, b].filter(({ interpolation }) => interpolation === 'STEP').map(({ times }) => times);
      const source: TimeFunction = {
        width: 4,
        isRotation: true,
        keyTimes: unionTimes([a.times, b.times]),
        stepTimes: unionTimes(jumps),
        tolerance: TOLERANCE,
        evaluate: (time, out, o) => {
          sampleTrack(a, time, out, o);
          sampleTrack(b, time, scratch, 0);
          quat.conjugate(scratch, 0, scratch, 0);
          quat.multiply(out, o, out, o, scratch, 0);
        },
      };
      // A spline that passes close to zero almost jumps; such splines are excluded.
      const slow = (time: number): boolean => {
        const [before, after] = [new Float64Array(4), new Float64Array(4)];
        source.evaluate(time, before, 0);
        source.evaluate(time + 1e-4, after, 0);
        return quat.angleBetween(before, 0, after, 0) < 0.02;
      };
      const isCubic = a.interpolation === 'CUBICSPLINE' || b.interpolation === 'CUBICSPLINE';
      const end = Math.max(a.times[a.times.length - 1], b.times[b.times.length - 1]);
      fc.pre(!isCubic || Array.from({ length: 500 }, (_, k) => (k / 500) * end).every(slow));
      expect(worst(source)).toBeLessThanOrEqual(TOLERANCE);
      const { times, values } = resampleFunction(source);
      expect(isRising(times)).toBe(true);
      for (let i = 4; i < values.length; i += 4) expect(quat.dot(values, i - 4, values, i)).toBeGreaterThanOrEqual(0);
    });
    fc.assert(property, { seed: 41, numRuns: lawRuns(60) });
  });

  it('keeps a jump as two keys, one float32 step apart', () => {
    const source = rotating((t) => (t < 0.7 ? 0 : 1), [0, 0.7, 1], { stepTimes: Float64Array.of(0, 0.7) });
    const { times, values } = resampleFunction(source);
    // 0.7 as a float32 is below 0.7, where the function still has its old value.
    const fround = Math.fround(0.7);
    expect(fround).toBeLessThan(0.7);
    const after = fround + 2 ** -24;
    expect([...times]).toEqual([0, fround, after, 1]);
    expect(float32Below(after)).toBe(fround);
    expect(Array.from(values).filter((_, c) => c % 4 === 3)).toEqual([1, 1, Math.cos(0.5), Math.cos(0.5)]);
    const exact = rotating((t) => (t < 0.5 ? 0 : 1), [0, 0.5, 1], { stepTimes: Float32Array.of(0.5) });
    expect([...resampleFunction(exact).times]).toEqual([0, float32Below(0.5), 0.5, 1]);
  });

  it('returns one key for a step without a change', () => {
    const still = rotating(() => 0.3, [0, 1, 2], { stepTimes: Float32Array.of(0, 1, 2) });
    expect([...resampleFunction(still).times]).toEqual([0, 1, 2]);
  });

  it('returns distinct float32 times where float64 times coincide', () => {
    const { times } = resampleFunction(rotating((t) => t, [0, 0.1, 0.1 + 1e-12, 1]));
    expect([...times]).toEqual([0, Math.fround(0.1), 1]);
  });

  it('returns one key at 0 without key times', () => {
    const keys = resampleFunction(rotating(() => 0, []));
    expect([[...keys.times], [...keys.values]]).toEqual([[0], [0, 0, 0, 1]]);
  });

  it('terminates on functions that are not smooth or not finite', () => {
    const jump = resampleFunction(rotating((t) => (t < 0.3 ? 0 : 1), [0, 1]));
    expect(jump.times.length).toBeLessThan(40);
    const none = resampleFunction(rotating(() => Number.NaN, [0, 1]));
    expect([...none.times]).toEqual([0, 1]);
    let calls = 0;
    const noise = rotating(() => {
      calls++;
      return Math.sin(calls * 1234.5);
    }, [0, 1]);
    expect(resampleFunction(noise).times.length).toBeLessThanOrEqual(2 ** 16 + 1);
  });

  it('adds a limited number of keys to a function that is nowhere smooth', () => {
    const jagged = rotating((t) => Math.sin(1e9 * t), [0, 1, 2, 3, 4]);
    const { length } = resampleFunction(jagged).times;
    expect(length).toBeGreaterThanOrEqual(defaultKeyLimit(jagged.keyTimes));
    expect(length).toBeLessThan(defaultKeyLimit(jagged.keyTimes) + 20);
  });

  it('stops halving at the key limit, and keeps all key times', () => {
    const wild = (keyLimit: number): number =>
      resampleFunction(rotating((t) => 1e4 * t * t, [0, 0.25, 0.5, 1], { keyLimit })).times.length;
    expect(wild(0)).toBe(4);
    expect(wild(1000)).toBeGreaterThanOrEqual(1000);
    expect(wild(1000)).toBeLessThan(1020);
  });

  it('throws for a tolerance that is not above 0', () => {
    for (const tolerance of [0, -1, Number.NaN])
      expect(() => resampleFunction(rotating(() => 0, [0], { tolerance }))).toThrow(RangeError);
  });
});
