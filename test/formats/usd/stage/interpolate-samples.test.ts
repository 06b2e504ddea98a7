import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimeSamples } from '../../../../src/formats/usd/layer/layer.ts';
import type { NumericValue, Value } from '../../../../src/formats/usd/layer/value.ts';
import { interpolateValues, isInterpolated, sampleAt } from '../../../../src/formats/usd/stage/interpolate-samples.ts';
import { EXACT, USD_STAGE_F64 } from '../../../support/tolerances.ts';

const of = (type: NumericValue['type'], ...numbers: number[]): NumericValue => ({
  type,
  isArray: true,
  numbers: Float64Array.from(numbers),
});
const BLOCK: Value = { type: 'block' };
const numbersAt = (a: Value, b: Value, t: number): number[] => {
  const value = interpolateValues(a, b, t, 'linear');
  return value !== null && 'numbers' in value ? Array.from(value.numbers as Float64Array) : [];
};
const samplesOf = (...pairs: [number, Value][]): TimeSamples => ({
  type: 'timeSamples',
  times: Float64Array.from(pairs, ([time]) => time),
  values: pairs.map(([, value]) => value),
});

describe('interpolateValues', () => {
  it('interpolates floats, tuples and matrices linearly, and holds integers, tokens and bools', () => {
    expect(numbersAt(of('float3', 0, 1, 2), of('float3', 4, 1, 0), 0.25)).toEqual([1, 1, 1.5]);
    expect(numbersAt(of('matrix2d', 1, 0, 0, 1), of('matrix2d', 3, 2, 0, 1), 0.5)).toEqual([2, 1, 0, 1]);
    expect(numbersAt(of('int', 1), of('int', 3), 0.5)).toEqual([1]);
    expect(
      ['double', 'quatf', 'timecode', 'half3', 'matrix4d'].every((type) => isInterpolated(type as Value['type'])),
    ).toBe(true);
    expect(
      ['bool', 'int2', 'token', 'uchar', 'string', 'asset'].some((type) => isInterpolated(type as Value['type'])),
    ).toBe(false);
  });

  it('keeps the precision of floats and halves', () => {
    const value = interpolateValues(
      { type: 'float', isArray: false, numbers: Float32Array.of(0) },
      { type: 'float', isArray: false, numbers: Float32Array.of(1) },
      0.1,
      'linear',
    );
    expect(value).toMatchObject({ numbers: Float32Array.of(0.1) });
    expect(numbersAt(of('half', 0), of('half', 1), 0.1)).toEqual([0.0999755859375]);
  });

  it('holds if sizes or types differ or the next is a block; returns null after a block', () => {
    const a = of('float', 1, 2);
    expect(interpolateValues(a, of('float', 1), 0.5, 'linear')).toBe(a);
    expect(interpolateValues(a, of('double', 3, 4), 0.5, 'linear')).toBe(a);
    expect(interpolateValues(a, BLOCK, 0.5, 'linear')).toBe(a);
    expect(interpolateValues(BLOCK, a, 0.5, 'linear')).toBeNull();
    expect(interpolateValues(a, of('float', 3, 4), 0.5, 'held')).toBe(a);
  });

  it('interpolates quaternions along the shorter arc, each separately', () => {
    const h = Math.SQRT1_2;
    const half = numbersAt(of('quatf', 0, 0, 0, 1, 0, 0, 0, 1), of('quatf', 0, 0, -h, -h, h, 0, 0, h), 0.5);
    const expected = [
      0,
      0,
      Math.sin(Math.PI / 8),
      Math.cos(Math.PI / 8),
      Math.sin(Math.PI / 8),
      0,
      0,
      Math.cos(Math.PI / 8),
    ];
    for (const [i, number] of expected.entries()) expect(Math.abs(half[i] - number)).toBeLessThan(EXACT);
  });

  it('equals slerp of quaternions without normalization', () => {
    const unit = fc.tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true })));
    fc.assert(
      fc.property(unit, unit, fc.double({ min: 0, max: 1, noNaN: true }), (p, q, t) => {
        const length = (v: readonly number[]): number => Math.hypot(...v);
        fc.pre(length(p) > 0.1 && length(q) > 0.1);
        const a = p.map((n) => n / length(p));
        const b = q.map((n) => n / length(q));
        const dot = a.reduce((sum, n, i) => sum + n * b[i], 0);
        const near = dot < 0 ? b.map((n) => -n) : b;
        // The slow twin: the part of b at a right angle to a, turned to.
        const along = Math.abs(dot);
        fc.pre(along < 0.999);
        const side = near.map((n, i) => n - along * a[i]);
        const angle = Math.acos(along) * t;
        const slow = a.map((n, i) => n * Math.cos(angle) + (side[i] / length(side)) * Math.sin(angle));
        const fast = numbersAt(of('quatd', ...a), of('quatd', ...b), t);
        if (t === 0) return;
        for (let c = 0; c < 4; c++) expect(Math.abs(fast[c] - slow[c])).toBeLessThan(USD_STAGE_F64);
      }),
      { seed: 71 },
    );
  });
});

describe('sampleAt', () => {
  it('clamps outside, hits samples exactly and interpolates between', () => {
    const samples = samplesOf([1, of('double', 10)], [3, of('double', 30)]);
    const at = (time: number): unknown => (sampleAt(samples, time, 'linear') as NumericValue).numbers[0];
    expect([-5, 1, 2, 3, 99].map(at)).toEqual([10, 10, 20, 30, 30]);
    expect(sampleAt(samples, 3, 'linear')).toBe(samples.values[1]);
    expect(sampleAt(samplesOf(), 0, 'linear')).toBeNull();
  });

  it('holds up to a block and returns null from there to the next sample', () => {
    const samples = samplesOf([0, of('double', 1)], [1, BLOCK], [2, of('double', 3)]);
    expect(sampleAt(samples, 0.9, 'linear')).toBe(samples.values[0]);
    expect([1, 1.5].map((time) => sampleAt(samples, time, 'linear'))).toEqual([null, null]);
    expect(sampleAt(samples, 2, 'linear')).toBe(samples.values[2]);
    expect(sampleAt(samplesOf([0, BLOCK]), -1, 'linear')).toBeNull();
  });

  it('equals a linear search through all samples', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 12 }),
        fc.double({ min: -60, max: 60, noNaN: true }),
        (raw, time) => {
          const times = [...raw].sort((a, b) => a - b);
          const samples = samplesOf(...times.map((t): [number, Value] => [t, of('double', t * t)]));
          let slow = times[0] ** 2;
          for (const [i, t] of times.entries()) {
            if (time < t) continue;
            const next = times[i + 1];
            slow = next === undefined ? t * t : t * t + ((next * next - t * t) * (time - t)) / (next - t);
          }
          const fast = Number((sampleAt(samples, time, 'linear') as NumericValue).numbers[0]);
          expect(Math.abs(fast - slow)).toBeLessThan(USD_STAGE_F64);
        },
      ),
      { seed: 72 },
    );
  });
});
