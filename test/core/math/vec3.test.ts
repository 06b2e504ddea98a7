import fc from 'fast-check';
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { direction, real, rotation, vector } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear as near } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const runs = { seed: 1, numRuns: lawRuns(300) };

describe('vec3', () => {
  it('all functions: match three.js at any offset', () => {
    const property = fc.property(vector(), vector(), rotation(), real(1), (a, b, q, t) => {
      const buffer = new Float64Array([7, ...a, ...b, ...q]);
      const out = new Float64Array(5);
      const [va, vb] = [new Vector3(...a), new Vector3(...b)];
      const check = (expected: Vector3): void => {
        near(out.subarray(2), expected.toArray(), EXACT);
        expect([out[0], out[1]]).toEqual([0, 0]);
      };
      vec3.copy(out, 2, buffer, 1);
      check(va);
      vec3.add(out, 2, buffer, 1, buffer, 4);
      check(va.clone().add(vb));
      vec3.subtract(out, 2, buffer, 1, buffer, 4);
      check(va.clone().sub(vb));
      vec3.scale(out, 2, buffer, 1, t);
      check(va.clone().multiplyScalar(t));
      vec3.addScaled(out, 2, buffer, 1, buffer, 4, t);
      check(va.clone().addScaledVector(vb, t));
      vec3.cross(out, 2, buffer, 1, buffer, 4);
      check(va.clone().cross(vb));
      vec3.lerp(out, 2, buffer, 1, buffer, 4, t);
      check(va.clone().lerp(vb, t));
      vec3.rotate(out, 2, buffer, 7, buffer, 1);
      check(va.clone().applyQuaternion(new Quaternion(...q)));
      vec3.normalize(out, 2, buffer, 1);
      check(va.clone().normalize());
      near([vec3.dot(buffer, 1, buffer, 4)], [va.dot(vb)], EXACT);
      near([vec3.length(buffer, 1)], [va.length()], EXACT);
      near([vec3.distance(buffer, 1, buffer, 4)], [va.distanceTo(vb)], EXACT);
    });
    fc.assert(property, runs);
  });

  it('all functions: accept an input as output', () => {
    const property = fc.property(vector(), vector(), rotation(), (a, b, q) => {
      const two = [vec3.add, vec3.subtract, vec3.cross];
      for (const operation of two) {
        const expected = new Float64Array(3);
        operation(expected, 0, a, 0, b, 0);
        const left = Float64Array.from(a);
        operation(left, 0, left, 0, b, 0);
        near(left, expected, 0);
        const right = Float64Array.from(b);
        operation(right, 0, a, 0, right, 0);
        near(right, expected, 0);
      }
      const expected = new Float64Array(3);
      vec3.rotate(expected, 0, q, 0, a, 0);
      const turned = Float64Array.from(a);
      vec3.rotate(turned, 0, q, 0, turned, 0);
      near(turned, expected, 0);
    });
    fc.assert(property, runs);
  });

  it('normalize: returns the former length, and keeps a zero vector', () => {
    const out = new Float64Array([3, 0, 4]);
    expect(vec3.normalize(out, 0, out, 0)).toBe(5);
    near(out, [0.6, 0, 0.8], EXACT);
    const zero = new Float64Array(3);
    expect(vec3.normalize(zero, 0, zero, 0)).toBe(0);
    expect([...zero]).toEqual([0, 0, 0]);
  });

  it('lerp: is exact at both ends', () => {
    const property = fc.property(vector(), vector(), (a, b) => {
      const out = new Float64Array(3);
      vec3.lerp(out, 0, a, 0, b, 0, 0);
      near(out, a, 0);
      vec3.lerp(out, 0, a, 0, b, 0, 1);
      near(out, b, 0);
    });
    fc.assert(property, runs);
  });

  it('angleBetween: is exact for angles at which acos fails', () => {
    const x = [1, 0, 0];
    for (const angle of [1e-9, 1e-5, 1, Math.PI / 2, 3, Math.PI - 1e-9]) {
      near([vec3.angleBetween(x, 0, [2 * Math.cos(angle), 2 * Math.sin(angle), 0], 0)], [angle], EXACT);
    }
    expect(vec3.angleBetween(x, 0, [0, 0, 0], 0)).toBe(0);
  });

  it('rotate: preserves lengths and angles', () => {
    const property = fc.property(rotation(), direction(), direction(), (q, a, b) => {
      const [ra, rb] = [new Float64Array(3), new Float64Array(3)];
      vec3.rotate(ra, 0, q, 0, a, 0);
      vec3.rotate(rb, 0, q, 0, b, 0);
      near([vec3.length(ra, 0), vec3.angleBetween(ra, 0, rb, 0)], [1, vec3.angleBetween(a, 0, b, 0)], EXACT);
    });
    fc.assert(property, runs);
  });

  it('rotateBack: undoes rotate, also in place', () => {
    const property = fc.property(rotation(), vector(), (q, v) => {
      const out = new Float64Array(3);
      vec3.rotate(out, 0, q, 0, v, 0);
      vec3.rotateBack(out, 0, q, 0, out, 0);
      near(out, v, EXACT);
    });
    fc.assert(property, runs);
  });
});
