import fc from 'fast-check';
import { Euler, Quaternion, type EulerOrder as ThreeOrder } from 'three';
import { describe, expect, it } from 'vitest';
import { DEGREE, type EulerOrder, fromAxisAngles, fromEuler } from '../../../src/core/math/euler.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { real } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const runs = { seed: 4, numRuns: lawRuns(500) };
const ORDERS = ['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX'] as const satisfies readonly EulerOrder[];
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

describe('fromEuler', () => {
  it('matches three.js in all six orders', () => {
    const property = fc.property(fc.constantFrom(...ORDERS), real(7), real(7), real(7), (order, x, y, z) => {
      const out = new Float64Array(6);
      fromEuler(out, 1, x, y, z, order);
      const expected = new Quaternion().setFromEuler(new Euler(x, y, z, order as ThreeOrder));
      expectNear(out, [0, ...expected.toArray(), 0], EXACT);
      fromEuler(out, 1, x / DEGREE, y / DEGREE, z / DEGREE, order, DEGREE);
      expectNear(out, [0, ...expected.toArray(), 0], EXACT);
    });
    fc.assert(property, runs);
  });
});

describe('fromAxisAngles', () => {
  it('returns the product of single rotations in the order of the axes, for any number of axes', () => {
    const property = fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), real(200)), { maxLength: 5 }),
      (list) => {
        const expected = new Float64Array([0, 0, 0, 1]);
        const single = new Float64Array(4);
        for (const [axis, degrees] of list) {
          quat.fromAxisAngle(single, 0, AXES[axis], 0, degrees * DEGREE);
          quat.multiply(expected, 0, expected, 0, single, 0);
        }
        const out = new Float64Array(4);
        const axes = list.map(([axis]) => axis);
        const angles = list.map(([, degrees]) => degrees);
        fromAxisAngles(out, 0, axes, [99, 99, ...angles], 2, DEGREE);
        expectNear(out, expected, EXACT);
      },
    );
    fc.assert(property, runs);
  });

  it('rotates Y up to Z up by 90 degrees about x', () => {
    const out = new Float64Array(4);
    fromAxisAngles(out, 0, [0], [90], 0, DEGREE);
    expectNear(out, [Math.SQRT1_2, 0, 0, Math.SQRT1_2], EXACT);
    fromAxisAngles(out, 0, [], []);
    expect([...out]).toEqual([0, 0, 0, 1]);
  });
});
