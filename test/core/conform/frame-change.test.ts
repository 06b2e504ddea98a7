import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import {
  changeTransform,
  changeValues,
  type FrameChange,
  frameChange,
  isNoChange,
  similarityOf,
} from '../../../src/core/conform/frame-change.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { real, rotation, track, vector } from '../../arbitraries.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { EXACT_CHAIN } from '../../tolerances.ts';

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

describe('changeTransform', () => {
  it('is A · L · G for even scales', () => {
    fc.assert(
      fc.property(change(), vector(), rotation(), factor, (by, t, r, s) => {
        const trs = Float64Array.from([...t, ...r, s, s, s]);
        const out = new Float64Array(10);
        changeTransform(out, 0, trs, 0, by);
        expectNear(matrixOf(out), expected(by, [...trs]), 1e3 * EXACT_CHAIN);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it('is A · L for any scale where the axes stay, and may be done in place', () => {
    const none = frameChange({});
    fc.assert(
      fc.property(change(), vector(), rotation(), vector(3), (given, t, r, s) => {
        const by = { ...given, axes: none.axes };
        const trs = Float64Array.from([...t, ...r, ...s]);
        const before = [...trs];
        changeTransform(trs, 0, trs, 0, by);
        expectNear(matrixOf(trs), expected(by, before), 1e3 * EXACT_CHAIN);
      }),
      { seed: 13, numRuns: 200 },
    );
  });
});

describe('changeValues', () => {
  it('changes the curve between keys as it changes the keys, tangents too', () => {
    fc.assert(
      fc.property(track(), change(), real(1), (keys, by, part) => {
        const isCubic = keys.interpolation === 'CUBICSPLINE';
        const changed = { ...keys, values: changeValues(keys.values, keys.path, by, isCubic) };
        const time = keys.times[0] + Math.abs(part) * (keys.times[keys.times.length - 1] - keys.times[0]);
        const before = new Float64Array(10);
        before.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
        const at = { translation: 0, rotation: 3, scale: 7 }[keys.path];
        const width = keys.path === 'rotation' ? 4 : 3;
        sampleTrack(keys, time, before, at);
        changeTransform(before, 0, before, 0, by);
        const after = new Float64Array(width);
        sampleTrack(changed, time, after, 0);
        const compare = width === 4 ? expectSameRotation : expectNear;
        compare(after, before.subarray(at, at + width), 1e-9);
      }),
      { seed: 14, numRuns: 300 },
    );
  });
});

describe('similarityOf', () => {
  it('takes a similarity apart', () => {
    fc.assert(
      fc.property(vector(), rotation(), factor, (t, r, s) => {
        const { change: found, isExact } = similarityOf(matrixOf([...t, ...r, s, s, s]));
        expect(isExact).toBe(true);
        expectNear(found.translation, t, EXACT_CHAIN);
        expectSameRotation(found.rotation, r, EXACT_CHAIN);
        expect(found.scale).toBeCloseTo(s, 9);
      }),
      { seed: 15, numRuns: 100 },
    );
  });

  it('says where a matrix is none', () => {
    expect(similarityOf(matrixOf([0, 0, 0, 0, 0, 0, 1, 1, 2, 1])).isExact).toBe(false);
  });
});

it('isNoChange is true only for what changes nothing', () => {
  expect(isNoChange(frameChange({}))).toBe(true);
  expect(isNoChange(frameChange({ scale: 2 }))).toBe(false);
  expect(isNoChange(frameChange({ translation: Float64Array.of(0, 1, 0) }))).toBe(false);
  expect(isNoChange(frameChange({ axes: Float64Array.of(1, 0, 0, 0) }))).toBe(false);
});
