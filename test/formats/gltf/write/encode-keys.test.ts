import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeKeys } from '../../../../src/formats/gltf/write/encode-keys.ts';
import { rotation } from '../../../support/arbitraries.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { referenceSample } from '../../../support/reference/interpolation.ts';
import { LAW_F32 } from '../../../support/tolerances.ts';

const linear = { interpolation: 'LINEAR' } as const;

describe('encodeKeys', () => {
  it('keeps translations unchanged', () => {
    const stored = encodeKeys(
      { ...linear, times: Float64Array.of(0, 1), values: Float64Array.of(1, 2, 3, 4, 5, 6) },
      3,
      false,
    );
    expect(stored).toEqual({ ...linear, times: Float32Array.of(0, 1), values: Float32Array.of(1, 2, 3, 4, 5, 6) });
  });

  it('does not change its input', () => {
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 0, -2);
    const times = Float32Array.of(0, 1);
    const stored = encodeKeys({ ...linear, times, values }, 4, true);
    expect(Array.from(values)).toEqual([0, 0, 0, 1, 0, 0, 0, -2]);
    expect(stored.times).not.toBe(times);
    expect(Array.from(stored.values)).toEqual([0, 0, 0, 1, -0, -0, -0, 1]);
  });

  it('scales spline triples uniformly and keeps their signs', () => {
    const values = Float64Array.of(1, 2, 3, 4, 0, 0, 0, 1, 5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, -2, 5, 6, 7, 8);
    const stored = encodeKeys({ interpolation: 'CUBICSPLINE', times: Float64Array.of(0, 1), values }, 4, true);
    expect(Array.from(stored.values.subarray(12))).toEqual([0.5, 1, 1.5, 2, 0, 0, 0, -1, 2.5, 3, 3.5, 4]);
  });

  it('keeps the signs of STEP rotations', () => {
    const values = Float64Array.of(0, 0, 0, 1, 0, 0, 0, -1);
    const stored = encodeKeys({ interpolation: 'STEP', times: Float64Array.of(0, 1), values }, 4, true);
    expect(Array.from(stored.values)).toEqual([0, 0, 0, 1, 0, 0, 0, -1]);
  });

  it('keeps the first and the last of keys with the same float32 time', () => {
    const times = Float64Array.of(1000, 1000.00001, 1000.00002, 1001);
    const stored = encodeKeys({ ...linear, times, values: Float64Array.of(1, 2, 3, 4) }, 1, false);
    expect(Array.from(stored.times)).toEqual([1000 - 2 ** -14, 1000, 1001]);
    expect(Array.from(stored.values)).toEqual([1, 3, 4]);
  });

  it('encodes a CUBICSPLINE with one key as STEP', () => {
    const values = Float64Array.of(9, 9, 9, 1, 2, 3, 9, 9, 9);
    const stored = encodeKeys({ interpolation: 'CUBICSPLINE', times: Float64Array.of(0), values }, 3, false);
    expect(stored).toEqual({ interpolation: 'STEP', times: Float32Array.of(0), values: Float32Array.of(1, 2, 3) });
  });

  it.each([
    ['no keys', [], []],
    ['a negative time', [-1, 0], [1, 2]],
    ['a decreasing time', [1, 0], [1, 2]],
    ['a repeated time', [1, 1], [1, 2]],
    ['a NaN time', [Number.NaN], [1]],
    ['too few values', [0, 1], [1]],
    ['a NaN value', [0], [Number.NaN]],
    ['a value beyond float32', [0], [1e39]],
  ])('throws for %s', (_, times, values) => {
    const keys = { ...linear, times: Float64Array.from(times), values: Float64Array.from(values) };
    expect(() => encodeKeys(keys, 1, false)).toThrow(RangeError);
  });

  it('keeps the motion of rotations and puts LINEAR neighbors on one hemisphere', () => {
    const tangent = fc.tuple(...Array(4).fill(fc.double({ min: -2, max: 2, noNaN: true })));
    const key = fc.record({ a: tangent, v: rotation(), b: tangent });
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
      Array.from(a).reduce((sum, x, c) => sum + x * b[c], 0);
    fc.assert(
      fc.property(
        fc.array(key, { minLength: 2, maxLength: 6 }),
        fc.constantFrom('LINEAR' as const, 'CUBICSPLINE' as const),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (keys, interpolation, part) => {
          const isCubic = interpolation === 'CUBICSPLINE';
          const values = Float64Array.from(keys.flatMap(({ a, v, b }) => (isCubic ? [...a, ...v, ...b] : v)));
          const track = { path: 'rotation', interpolation, times: Float64Array.from(keys.keys()), values };
          const stored = encodeKeys(track, 4, true);
          for (let at = 4; !isCubic && at < stored.values.length; at += 4) {
            expect(dot(stored.values.subarray(at, at + 4), stored.values.subarray(at - 4, at))).toBeGreaterThanOrEqual(
              0,
            );
          }
          // Half a rotation between keys is ambiguous within rounding; so is a spline through zero.
          fc.pre(isCubic || keys.every(({ v }, k) => k === 0 || Math.abs(dot(v, keys[k - 1].v)) > 1e-3));
          const time = part * (keys.length - 1);
          const before = referenceSample(track, time);
          const after = referenceSample({ ...track, ...stored }, time);
          const cosine = Math.abs(dot(before, after)) / Math.hypot(...before) / Math.hypot(...after);
          fc.pre(Number.isFinite(cosine));
          expect(cosine).toBeGreaterThan(1 - LAW_F32);
        },
      ),
      { seed: 31, numRuns: lawRuns(500) },
    );
  });
});
