import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import {
  changeFrameOfTransform,
  changeFrameOfValues,
  createFrameChange,
  type FrameChange,
  isIdentityChange,
  toFrameChange,
} from '../../../src/core/normalize/frame-change.ts';
import { real, rotation, track, vector } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

const factor = real(1).map((x) => 2 ** (2 * x));

function change(): fc.Arbitrary<FrameChange> {
  return fc
    .record({ rotation: rotation(), axes: rotation(), scale: factor, translation: vector() })
    .map(({ rotation, axes, scale, translation }) => ({
      rotation: Float64Array.from(rotation),
      axes: Float64Array.from(axes),
      scale,
      translation: Float64Array.from(translation),
    }));
}

function matrixOf(trs: ArrayLike<number>): Float64Array {
  const out = new Float64Array(16);
  mat4.compose(out, 0, trs, 0);
  return out;
}

function product(...matrices: Float64Array[]): Float64Array {
  return matrices.reduce((a, b) => {
    const out = new Float64Array(16);
    mat4.multiply(out, 0, a, 0, b, 0);
    return out;
  });
}

/** A · L · G, by matrices. */
function expected({ rotation, scale, translation, axes }: FrameChange, trs: readonly number[]): Float64Array {
  const a = matrixOf([...translation, ...rotation, scale, scale, scale]);
  return product(a, matrixOf(trs), matrixOf([0, 0, 0, ...axes, 1, 1, 1]));
}

describe('changeFrameOfTransform', () => {
  it('computes A · L · G for uniform scales', () => {
    fc.assert(
      fc.property(change(), vector(), rotation(), factor, (by, t, r, s) => {
        const trs = Float64Array.from([...t, ...r, s, s, s]);
        const out = new Float64Array(10);
        changeFrameOfTransform(out, 0, trs, 0, by);
        expectNear(matrixOf(out), expected(by, [...trs]), 1e3 * EXACT_CHAIN);
      }),
      { seed: 12, numRuns: lawRuns(200) },
    );
  });

  it('computes A · L for any scale without a change of axes, in place', () => {
    const none = createFrameChange({});
    fc.assert(
      fc.property(change(), vector(), rotation(), vector(3), (given, t, r, s) => {
        const by = { ...given, axes: none.axes };
        const trs = Float64Array.from([...t, ...r, ...s]);
        const before = [...trs];
        changeFrameOfTransform(trs, 0, trs, 0, by);
        expectNear(matrixOf(trs), expected(by, before), 1e3 * EXACT_CHAIN);
      }),
      { seed: 13, numRuns: lawRuns(200) },
    );
  });
});

describe('changeFrameOfValues', () => {
  it('changes curves between keys like the keys, with tangents', () => {
    fc.assert(
      fc.property(track(), change(), real(1), (keys, by, part) => {
        const isCubic = keys.interpolation === 'CUBICSPLINE';
        const changed = { ...keys, values: changeFrameOfValues(keys.values, keys.path, by, isCubic) };
        const time = keys.times[0] + Math.abs(part) * (keys.times[keys.times.length - 1] - keys.times[0]);
        const before = new Float64Array(10);
        before.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        const at = { translation: 0, rotation: 3, scale: 7 }[keys.path];
        const width = keys.path === 'rotation' ? 4 : 3;
        sampleTrack(keys, time, before, at);
        changeFrameOfTransform(before, 0, before, 0, by);
        const after = new Float64Array(width);
        sampleTrack(changed, time, after, 0);
        const compare = width === 4 ? expectSameRotation : expectNear;
        compare(after, before.subarray(at, at + width), 1e-9);
      }),
      { seed: 14, numRuns: lawRuns(300) },
    );
  });
});

describe('toFrameChange', () => {
  it('decomposes a similarity', () => {
    fc.assert(
      fc.property(vector(), rotation(), factor, (t, r, s) => {
        const found = toFrameChange(matrixOf([...t, ...r, s, s, s]));
        expectNear(found.translation, t, EXACT_CHAIN);
        expectSameRotation(found.rotation, r, EXACT_CHAIN);
        expect(found.scale).toBeCloseTo(s, 9);
      }),
      { seed: 15, numRuns: lawRuns(100) },
    );
  });
});

it('isIdentityChange returns true for the identity only', () => {
  expect(isIdentityChange(createFrameChange({}))).toBe(true);
  expect(isIdentityChange(createFrameChange({ scale: 2 }))).toBe(false);
  expect(isIdentityChange(createFrameChange({ translation: Float64Array.of(0, 1, 0) }))).toBe(false);
  expect(isIdentityChange(createFrameChange({ axes: Float64Array.of(1, 0, 0, 0) }))).toBe(false);
});
