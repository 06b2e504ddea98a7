import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resampleFunction, type TimeFunction, unionTimes } from '../../../src/core/animation/resample.ts';
import { resampleCubic } from '../../../src/core/animation/resample-cubic.ts';
import { sampleKeys, sampleTrack } from '../../../src/core/animation/sample.ts';
import { float32Below } from '../../../src/core/math/float32.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

const TOLERANCE = 1e-4;

/** Returns the largest error of the CUBICSPLINE keys of a function, on a grid finer than the keys. */
function worst(source: TimeFunction): number {
  const keys = resampleCubic(source);
  const { width, isRotation } = source;
  const [a, b] = [new Float64Array(width), new Float64Array(width)];
  const [first, end] = [keys.times[0], keys.times[keys.times.length - 1]];
  let error = 0;
  for (let step = 0; step <= 3000; step++) {
    const time = Math.fround(first + (step / 3000) * (end - first));
    sampleKeys(keys, width, isRotation, time, a, 0);
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

describe('resampleCubic', () => {
  it('reproduces cubic polynomials exactly, with the keys of the function alone', () => {
    const source: TimeFunction = {
      width: 3,
      isRotation: false,
      keyTimes: Float32Array.of(0, 0.5, 3),
      tolerance: 1e-9,
      evaluate: (t, out, o) => out.set([t ** 3 - 2 * t, 1 - t * t, 4 * t], o),
    };
    const { interpolation, times, values } = resampleCubic(source);
    expect([interpolation, ...times]).toEqual(['CUBICSPLINE', 0, 0.5, 3]);
    expect(worst(source)).toBeLessThan(LAW_F64);
    // Tangents are the derivatives per second; those before the first and after the last key are unused.
    const found = Array.from(values.subarray(9, 18));
    const expected = [3 * 0.25 - 2, -1, 4, 0.125 - 1, 0.75, 2, 3 * 0.25 - 2, -1, 4];
    for (const [k, value] of expected.entries()) expect(Math.abs(found[k] - value)).toBeLessThan(LAW_F64);
    expect([...values.subarray(0, 3), ...values.subarray(-3)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('needs no added key for a fast joint at 30 fps, where LINEAR needs several per frame', () => {
    const keyTimes = Array.from({ length: 31 }, (_, frame) => frame / 30);
    const source = rotating((t) => 1.2 * Math.sin(9 * t) + 0.3 * Math.sin(20 * t), keyTimes);
    expect(resampleCubic(source).times).toHaveLength(31);
    expect(worst(source)).toBeLessThanOrEqual(TOLERANCE);
    expect(resampleFunction(source).times.length).toBeGreaterThan(90);
  });

  it('adds keys only where needed, also for several full rotations', () => {
    const { times } = resampleCubic(rotating((t) => 20 * Math.max(0, t - 3) ** 2, [0, 1, 2, 3, 4]));
    expect([...times.subarray(0, 4)]).toEqual([0, 1, 2, 3]);
    expect(times.length).toBeGreaterThan(8);
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
      const { times, values } = resampleCubic(source);
      expect(Array.from(times).every((time, k) => k === 0 || time > times[k - 1])).toBe(true);
      for (let i = 16; i < values.length; i += 12)
        expect(quat.dot(values, i - 12, values, i)).toBeGreaterThanOrEqual(0);
    });
    fc.assert(property, { seed: 42, numRuns: lawRuns(60) });
  });

  it('keeps a jump as two keys, one float32 step apart, without tangents between them', () => {
    const source = rotating((t) => (t < 0.5 ? 0 : 1), [0, 0.5, 1], { stepTimes: Float32Array.of(0.5) });
    const { times, values } = resampleCubic(source);
    expect([...times]).toEqual([0, float32Below(0.5), 0.5, 1]);
    for (let key = 0; key < 4; key++) {
      for (const tangent of [0, 8])
        for (let c = 0; c < 4; c++) expect(Math.abs(values[12 * key + tangent + c])).toBeLessThan(LAW_F64);
    }
  });

  it('stops adding keys at the limit, and does not overshoot where it is inaccurate', () => {
    const source = rotating((t) => 1000 * t, [0, 1], { keyLimit: 20 });
    const { times, values } = resampleCubic(source);
    expect(times.length).toBeLessThan(40);
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it('throws for a tolerance that is not above 0', () => {
    expect(() => resampleCubic(rotating((t) => t, [0, 1], { tolerance: 0 }))).toThrow(RangeError);
  });
});
