import fc from 'fast-check';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { trs, vector } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { EXACT, EXACT_CHAIN } from '../../support/tolerances.ts';

const runs = { seed: 3, numRuns: lawRuns(300) };

function threeMatrix([tx, ty, tz, x, y, z, w, sx, sy, sz]: number[]): Matrix4 {
  return new Matrix4().compose(new Vector3(tx, ty, tz), new Quaternion(x, y, z, w), new Vector3(sx, sy, sz));
}

function composed(ten: number[]): Float64Array {
  const out = new Float64Array(16);
  mat4.compose(out, 0, ten, 0);
  return out;
}

describe('mat4', () => {
  it('compose, multiply, multiplyTransform, transformPoint and transformDirection: match three.js', () => {
    const property = fc.property(trs(), trs(), vector(), (a, b, v) => {
      const [ma, mb] = [composed(a), composed(b)];
      expectNear(ma, threeMatrix(a).elements, EXACT);
      expectNear([mat4.determinant(ma, 0)], [threeMatrix(a).determinant()], EXACT_CHAIN);
      const out = new Float64Array(20);
      mat4.multiply(out, 2, ma, 0, mb, 0);
      expectNear(out.subarray(2, 18), threeMatrix(a).multiply(threeMatrix(b)).elements, EXACT_CHAIN);
      mat4.multiplyTransform(out, 2, ma, 0, b, 0);
      expectNear(out.subarray(2, 18), threeMatrix(a).multiply(threeMatrix(b)).elements, EXACT_CHAIN);
      mat4.transformPoint(out, 1, ma, 0, [0, ...v], 1);
      expectNear(out.subarray(1, 4), new Vector3(...v).applyMatrix4(threeMatrix(a)).toArray(), EXACT_CHAIN);
      mat4.transformDirection(out, 1, ma, 0, v, 0);
      const turned = new Vector3(a[7] * v[0], a[8] * v[1], a[9] * v[2]).applyQuaternion(
        new Quaternion(a[3], a[4], a[5], a[6]),
      );
      expectNear(out.subarray(1, 4), turned.toArray(), EXACT_CHAIN);
    });
    fc.assert(property, runs);
  });

  it('all functions: accept an input as output', () => {
    const property = fc.property(trs(), trs(), (a, b) => {
      const out = new Float64Array(16);
      const both = Float64Array.from([...composed(a), ...composed(b)]);
      mat4.multiply(out, 0, both, 0, both, 16);
      mat4.multiply(both, 16, both, 0, both, 16);
      expectNear(both.subarray(16), out, 0);
      both.set(composed(b), 16);
      mat4.multiply(both, 0, both, 0, both, 16);
      expectNear(both.subarray(0, 16), out, 0);
      const own = composed(a);
      expect(mat4.invertAffine(out, 0, own, 0)).toBe(true);
      mat4.invertAffine(own, 0, own, 0);
      expectNear(own, out, 0);
      const ten = Float64Array.from([...a, ...composed(b).subarray(0, 6)]);
      mat4.compose(ten, 0, ten, 0);
      expectNear(ten, composed(a), 0);
      mat4.decompose(out, 0, ten, 0);
      mat4.decompose(ten, 0, ten, 0);
      expectNear(ten.subarray(0, 10), out.subarray(0, 10), 0);
    });
    fc.assert(property, runs);
  });

  it('isIdentity: compares every element with the tolerance and rejects NaN', () => {
    const two = new Float64Array(32);
    mat4.identity(two, 16);
    expect([mat4.isIdentity(two, 0), mat4.isIdentity(two, 16)]).toEqual([false, true]);
    for (let c = 0; c < 16; c++) {
      const off = two.slice(16);
      off[c] += 0.25;
      expect([mat4.isIdentity(off, 0), mat4.isIdentity(off, 0, 0.25), mat4.isIdentity(off, 0, 0.2)]).toEqual([
        false,
        true,
        false,
      ]);
      off[c] = Number.NaN;
      expect(mat4.isIdentity(off, 0, 1)).toBe(false);
    }
  });

  it('invertAffine: inverts matrices of any scale', () => {
    const property = fc.property(trs(), fc.constantFrom(1e-6, 1, 1e6), (ten, size) => {
      const matrix = composed(ten.map((x, c) => (c < 3 || c > 6 ? x * size : x)));
      const inverse = new Float64Array(16);
      expect(mat4.invertAffine(inverse, 0, matrix, 0)).toBe(true);
      mat4.multiply(inverse, 0, inverse, 0, matrix, 0);
      const one = new Float64Array(16);
      mat4.identity(one, 0);
      expectNear(inverse, one, EXACT_CHAIN);
    });
    fc.assert(property, runs);
  });

  it('invertAffine: returns false and keeps the output for singular matrices', () => {
    const out = new Float64Array(16).fill(7);
    for (const scale of [
      [0, 1, 1],
      [1, 0, 1],
      [0, 0, 0],
      [Number.NaN, 1, 1],
    ]) {
      expect(mat4.invertAffine(out, 0, composed([1, 2, 3, 0, 0, 0, 1, ...scale]), 0)).toBe(false);
    }
    const flat = composed([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    flat.set([1, 2, 3, 0, 4, 5, 6, 0, 5, 7, 9, 0]);
    expect(mat4.invertAffine(out, 0, flat, 0)).toBe(false);
    // Coplanar columns except for rounding: the determinant is almost 0.
    flat.set([0.1, 0.2, 0.3, 0, 0.4, 0.5, 0.7, 0, 0.1 + 0.4, 0.2 + 0.5, 0.3 + 0.7, 0]);
    flat[8] += 2 ** -53;
    expect(mat4.determinant(flat, 0)).not.toBe(0);
    expect(mat4.invertAffine(out, 0, flat, 0)).toBe(false);
    expect([...out]).toEqual(Array(16).fill(7));
  });

  it('decompose: inverts compose', () => {
    const property = fc.property(trs(), fc.boolean(), (ten, mirror) => {
      const expected = ten.map((x, c) => (mirror && c === 7 ? -x : x));
      const out = new Float64Array(12);
      expect(mat4.decompose(out, 1, composed(expected), 0)).toBe(true);
      expectNear(out.subarray(1, 4), expected.slice(0, 3), 0);
      expectSameRotation(out.subarray(4, 8), expected.slice(3, 7), EXACT);
      expectNear(out.subarray(8, 11), expected.slice(7), EXACT);
    });
    fc.assert(property, runs);
  });

  it('decompose: stores a mirror as a negative x scale', () => {
    for (const scale of [
      [1, -2, 3],
      [1, 2, -3],
      [-1, -2, -3],
    ]) {
      const matrix = composed([1, 2, 3, 0, 0.6, 0, 0.8, ...scale]);
      const out = new Float64Array(10);
      expect(mat4.decompose(out, 0, matrix, 0)).toBe(true);
      expect([Math.sign(out[7]), Math.sign(out[8]), Math.sign(out[9])]).toEqual([-1, 1, 1]);
      expectNear(composed(Array.from(out)), matrix, EXACT);
    }
  });

  it('decompose: returns false for a matrix other than T · R · S', () => {
    const out = new Float64Array(10);
    const sheared = composed([1, 2, 3, 0, 0, 0, 1, 1, 1, 1]);
    sheared[4] = 0.01;
    expect(mat4.decompose(out, 0, sheared, 0)).toBe(false);
    expect(out.every(Number.isFinite)).toBe(true);
    sheared[4] = 1e-7;
    expect(mat4.decompose(out, 0, sheared, 0)).toBe(true);
    sheared[12] = Number.NaN;
    expect(mat4.decompose(out, 0, sheared, 0)).toBe(false);
    expect(mat4.decompose(out, 0, composed([0, 0, 0, 0.6, 0, 0, 0.8, 2, 0, 3]), 0)).toBe(true);
  });
});
