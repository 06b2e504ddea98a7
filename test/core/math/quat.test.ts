import fc from 'fast-check';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { direction, real, rotation, trs } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { referenceSlerp } from '../../support/reference/interpolation.ts';
import { EXACT, NEAR_OPPOSITE, SECOND_OPINION } from '../../support/tolerances.ts';

const runs = { seed: 2, numRuns: lawRuns(500) };
const part = real(0.5).map((x) => x + 0.5);

/** Returns the rotation about `axis` by `angle`, radians. */
function rotationAbout(axis: ArrayLike<number>, angle: number): Float64Array {
  const out = new Float64Array(4);
  quat.fromAxisAngle(out, 0, axis, 0, angle);
  return out;
}

function rotated(q: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  const out = new Float64Array(3);
  vec3.rotate(out, 0, q, 0, v, 0);
  return out;
}

describe('quat', () => {
  it('multiply, conjugate and fromAxisAngle: match three.js', () => {
    const property = fc.property(rotation(), rotation(), direction(), real(7), (a, b, axis, angle) => {
      const out = new Float64Array(4);
      quat.multiply(out, 0, a, 0, b, 0);
      expectNear(out, new Quaternion(...a).multiply(new Quaternion(...b)).toArray(), EXACT);
      quat.conjugate(out, 0, a, 0);
      expectNear(out, new Quaternion(...a).conjugate().toArray(), 0);
      expectNear(
        rotationAbout(axis, angle),
        new Quaternion().setFromAxisAngle(new Vector3(...axis), angle).toArray(),
        EXACT,
      );
      expectNear([quat.dot(a, 0, b, 0)], [new Quaternion(...a).dot(new Quaternion(...b))], EXACT);
    });
    fc.assert(property, runs);
  });

  it('all functions: accept an input as output', () => {
    const property = fc.property(rotation(), rotation(), part, (a, b, t) => {
      const out = new Float64Array(4);
      const both = new Float64Array(8);
      quat.multiply(out, 0, a, 0, b, 0);
      both.set([...a, ...b]);
      quat.multiply(both, 0, both, 0, both, 4);
      expectNear(both.subarray(0, 4), out, 0);
      both.set([...a, ...b]);
      quat.multiply(both, 4, both, 0, both, 4);
      expectNear(both.subarray(4), out, 0);
      quat.slerp(out, 0, a, 0, b, 0, t);
      both.set([...a, ...b]);
      quat.slerp(both, 4, both, 0, both, 4, t);
      expectNear(both.subarray(4), out, 0);
      const swing = new Float64Array(4);
      quat.swingTwist(swing, 0, out, 0, a, 0, [0, 1, 0], 0);
      both.set([...a, ...b]);
      quat.swingTwist(both, 0, both, 4, both, 0, [0, 1, 0], 0);
      expectNear(both, [...swing, ...out], 0);
    });
    fc.assert(property, runs);
  });

  it('multiply: applies the right factor first', () => {
    const property = fc.property(rotation(), rotation(), direction(), (a, b, v) => {
      const product = new Float64Array(4);
      quat.multiply(product, 0, a, 0, b, 0);
      expectNear(rotated(product, v), rotated(a, rotated(b, v)), EXACT);
    });
    fc.assert(property, runs);
  });

  it('normalize: returns the former length, and maps zero to the identity', () => {
    const q = new Float64Array([0, 0, 3, 4]);
    expect(quat.normalize(q, 0, q, 0)).toBe(5);
    expectNear(q, [0, 0, 0.6, 0.8], EXACT);
    const zero = new Float64Array(4);
    expect(quat.normalize(zero, 0, zero, 0)).toBe(0);
    expect([...zero]).toEqual([0, 0, 0, 1]);
  });

  describe('slerp', () => {
    it('matches the formula of glTF 2.0, Appendix C.4', () => {
      const property = fc.property(rotation(), rotation(), part, (a, b, t) => {
        const out = new Float64Array(4);
        quat.slerp(out, 0, a, 0, b, 0, t);
        expectNear(out, referenceSlerp(a, b, t), EXACT);
        expectNear(out, new Quaternion(...a).slerp(new Quaternion(...b), t).toArray(), SECOND_OPINION);
      });
      fc.assert(property, runs);
    });

    it('is exact for angles of any size', () => {
      for (const angle of [0, 1e-12, 1e-8, 1.9e-7, 2.1e-7, 1e-6, 1e-5, 1e-3, 0.1, 1, 3, Math.PI - 1e-6]) {
        for (const t of [0, 0.1, 0.5, 0.9, 1]) {
          const out = new Float64Array(4);
          quat.slerp(out, 0, rotationAbout([0, 0.6, 0.8], 0.4), 0, rotationAbout([0, 0.6, 0.8], 0.4 + angle), 0, t);
          expectNear(out, rotationAbout([0, 0.6, 0.8], 0.4 + t * angle), EXACT);
        }
      }
    });

    it('takes the shorter arc, and for equal arcs the one to the second quaternion itself', () => {
      const out = new Float64Array(4);
      quat.slerp(out, 0, [0, 0, 0, 1], 0, [0, 0, -Math.SQRT1_2, -Math.SQRT1_2], 0, 0.5);
      expectNear(out, rotationAbout([0, 0, 1], Math.PI / 4), EXACT);
      quat.slerp(out, 0, [0, 0, 0, 1], 0, [1, 0, 0, 0], 0, 0.5);
      expectNear(out, rotationAbout([1, 0, 0], Math.PI / 2), EXACT);
      quat.slerp(out, 0, [0, 0, 0, 1], 0, [-1, 0, 0, 0], 0, 0.5);
      expectNear(out, rotationAbout([-1, 0, 0], Math.PI / 2), EXACT);
    });

    it('accepts quaternions that are not of unit length', () => {
      const property = fc.property(rotation(), rotation(), part, part, part, (a, b, t, la, lb) => {
        const expected = new Float64Array(4);
        quat.slerp(expected, 0, a, 0, b, 0, t);
        const longA = a.map((x) => x * (la + 0.5));
        const longB = b.map((x) => x * (lb + 0.5));
        const out = new Float64Array(4);
        quat.slerp(out, 0, longA, 0, longB, 0, t);
        expectNear(out, expected, EXACT);
      });
      fc.assert(property, runs);
    });

    it('returns finite numbers for zero quaternions', () => {
      const out = new Float64Array(4);
      quat.slerp(out, 0, [0, 0, 0, 0], 0, [0, 0, 0, 1], 0, 0.3);
      expect(out.every(Number.isFinite)).toBe(true);
      quat.slerp(out, 0, [0, 0, 0, 0], 0, [0, 0, 0, 0], 0, 0.3);
      expect(out.every(Number.isFinite)).toBe(true);
    });
  });

  describe('angleBetween', () => {
    it('is exact for tiny and large angles, for any signs and lengths', () => {
      for (const angle of [0, 1e-14, 1e-9, 1e-4, 1, 3, Math.PI - 1e-9, Math.PI]) {
        const from = rotationAbout([0.6, 0, 0.8], 1);
        const to = rotationAbout([0.6, 0, 0.8], 1 + angle);
        expectNear([quat.angleBetween(from, 0, to, 0)], [angle], 2e-15);
        const opposite = to.map((x) => -2 * x);
        expectNear([quat.angleBetween(from, 0, opposite, 0)], [angle], 2e-15);
      }
    });

    it('is invariant when both rotations are rotated alike', () => {
      const property = fc.property(rotation(), rotation(), rotation(), (a, b, c) => {
        const turned = new Float64Array(8);
        quat.multiply(turned, 0, c, 0, a, 0);
        quat.multiply(turned, 4, c, 0, b, 0);
        expectNear([quat.angleBetween(turned, 0, turned, 4)], [quat.angleBetween(a, 0, b, 0)], EXACT);
      });
      fc.assert(property, runs);
    });
  });

  describe('fromTo', () => {
    it('rotates one direction to the other by the angle between them', () => {
      const property = fc.property(direction(), direction(), part, (a, b, length) => {
        const q = new Float64Array(4);
        const long = b.map((x) => x * (length + 0.1));
        quat.fromTo(q, 0, a, 0, long, 0);
        expectNear(rotated(q, a), b, EXACT);
        expectNear([quat.angleBetween(q, 0, [0, 0, 0, 1], 0)], [vec3.angleBetween(a, 0, b, 0)], EXACT);
      });
      fc.assert(property, runs);
    });

    it('is exact for nearly equal and nearly opposite directions', () => {
      const property = fc.property(direction(), direction(), fc.integer({ min: 1, max: 15 }), (a, axis, digits) => {
        fc.pre(vec3.angleBetween(a, 0, axis, 0) > 0.1 && vec3.angleBetween(a, 0, axis, 0) < 3);
        const normal = new Float64Array(3);
        vec3.cross(normal, 0, a, 0, axis, 0);
        vec3.normalize(normal, 0, normal, 0);
        const q = new Float64Array(4);
        for (const angle of [10 ** -digits, Math.PI - 10 ** -digits]) {
          const b = rotated(rotationAbout(normal, angle), a);
          quat.fromTo(q, 0, a, 0, b, 0);
          expectNear(rotated(q, a), b, NEAR_OPPOSITE);
          expectNear([Math.hypot(...q)], [1], EXACT);
        }
      });
      fc.assert(property, runs);
    });

    it('rotates to the opposite direction about the preferred axis, or another perpendicular one', () => {
      const q = new Float64Array(4);
      quat.fromTo(q, 0, [1, 0, 0], 0, [-2, 0, 0], 0, [9, 0, 0.6, 0.8], 1);
      expectSameRotation(q, [0, 0.6, 0.8, 0], NEAR_OPPOSITE);
      quat.fromTo(q, 0, [1, 0, 0], 0, [-1, 0, 0], 0, [1, 0, 0]);
      expectNear(rotated(q, [1, 0, 0]), [-1, 0, 0], EXACT);
      const property = fc.property(direction(), (a) => {
        const opposite = a.map((x) => -x);
        quat.fromTo(q, 0, a, 0, opposite, 0);
        expectNear(rotated(q, a), opposite, EXACT);
      });
      fc.assert(property, runs);
    });

    it('returns the identity for a zero direction', () => {
      const q = new Float64Array(4);
      quat.fromTo(q, 0, [0, 0, 0], 0, [0, 1, 0], 0);
      expect([...q]).toEqual([0, 0, 0, 1]);
      quat.fromTo(q, 0, [0, 1, 0], 0, [0, 0, 0], 0);
      expect([...q]).toEqual([0, 0, 0, 1]);
    });
  });

  describe('swingTwist', () => {
    it('splits a rotation into a twist about the axis and a swing about a perpendicular axis', () => {
      const property = fc.property(rotation(), direction(), (q, axis) => {
        const [swing, twist, product] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
        quat.swingTwist(swing, 0, twist, 0, q, 0, axis, 0);
        quat.multiply(product, 0, swing, 0, twist, 0);
        expectNear(product, q, EXACT);
        expectNear([vec3.dot(swing, 0, axis, 0)], [0], EXACT);
        expectNear(rotated(twist, axis), axis, EXACT);
        expect(twist[3]).toBeGreaterThanOrEqual(0);
        expectNear([Math.hypot(...twist), Math.hypot(...swing)], [1, 1], EXACT);
      });
      fc.assert(property, runs);
    });

    it('returns the identity twist where the axis is reversed', () => {
      const [swing, twist] = [new Float64Array(4), new Float64Array(4)];
      quat.swingTwist(swing, 0, twist, 0, [1, 0, 0, 0], 0, [0, 1, 0], 0);
      expectNear([...swing, ...twist], [1, 0, 0, 0, 0, 0, 0, 1], 0);
    });
  });

  describe('fromMatrix and fromBasis', () => {
    it('recover the rotation of any matrix, with or without scale', () => {
      const property = fc.property(trs(), ([tx, ty, tz, x, y, z, w, sx, sy, sz]) => {
        const matrix = new Matrix4().compose(
          new Vector3(tx, ty, tz),
          new Quaternion(x, y, z, w),
          new Vector3(sx, sy, sz),
        );
        const q = new Float64Array(4);
        quat.fromMatrix(q, 0, [0, ...matrix.elements], 1);
        expectSameRotation(q, [x, y, z, w], EXACT);
        const [a, b, c] = [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ].map((axis) => rotated(q, axis));
        quat.fromBasis(q, 0, a, 0, b, 0, c, 0);
        expectSameRotation(q, [x, y, z, w], EXACT);
      });
      fc.assert(property, runs);
    });

    it('recover half rotations about every axis, with each component the largest once', () => {
      for (const axis of [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]) {
        for (const angle of [0, Math.PI - 1e-9, Math.PI, Math.PI + 1e-9, 2 * Math.PI]) {
          const expected = rotationAbout(axis, angle);
          const q = new Float64Array(4);
          const matrix = new Matrix4().makeRotationFromQuaternion(new Quaternion(...expected));
          quat.fromMatrix(q, 0, matrix.elements, 0);
          expectSameRotation(q, expected, EXACT);
        }
      }
    });

    it('negate the x column of a mirroring matrix', () => {
      const q = new Float64Array(4);
      const mirror = new Matrix4().makeRotationY(0.5).scale(new Vector3(-2, 3, 4));
      quat.fromMatrix(q, 0, mirror.elements, 0);
      expectSameRotation(q, rotationAbout([0, 1, 0], 0.5), EXACT);
    });

    it('derive the columns that have scale 0', () => {
      const whole = rotationAbout([0.6, 0, 0.8], 1.1);
      for (const scale of [
        [0, 2, 3],
        [2, 0, 3],
        [2, 3, 0],
      ]) {
        const matrix = new Matrix4().makeRotationFromQuaternion(new Quaternion(...whole));
        matrix.scale(new Vector3(...scale));
        const q = new Float64Array(4);
        quat.fromMatrix(q, 0, matrix.elements, 0);
        expectSameRotation(q, whole, EXACT);
      }
      const q = new Float64Array(4);
      const flat = new Matrix4().makeRotationFromQuaternion(new Quaternion(...whole)).scale(new Vector3(0, 5, 0));
      quat.fromMatrix(q, 0, flat.elements, 0);
      expectNear(rotated(q, [0, 1, 0]), rotated(whole, [0, 1, 0]), EXACT);
      quat.fromMatrix(q, 0, new Float64Array(16), 0);
      expect([...q]).toEqual([0, 0, 0, 1]);
    });

    it('return finite numbers for parallel columns', () => {
      const q = new Float64Array(4);
      quat.fromMatrix(q, 0, [1, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 0);
      expect(q.every(Number.isFinite)).toBe(true);
      quat.fromMatrix(q, 0, new Float64Array(16).fill(Number.NaN), 0);
      expect(q.every(Number.isFinite)).toBe(true);
    });
  });
});
