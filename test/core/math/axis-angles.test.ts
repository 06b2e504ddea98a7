import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planAxisAngles, toAxisAngles } from '../../../src/core/math/axis-angles.ts';
import { fromAxisAngles } from '../../../src/core/math/euler.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { makeRandom, randomRotation } from '../../../src/demo/random.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { EXACT, LOCKED_ANGLES, NEAREST_ROTATION } from '../../support/tolerances.ts';

const axisLists = (length: number): number[][] =>
  length === 0 ? [[]] : axisLists(length - 1).flatMap((list) => [0, 1, 2].map((axis) => [...list, axis]));
const isComplete = ([a, b, c]: readonly number[]): boolean => a !== b && b !== c;

function rotationOf(axes: readonly number[], angles: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4);
  fromAxisAngles(out, 0, axes, angles);
  return out;
}

function anglesOf(axes: readonly number[], q: ArrayLike<number>, former?: ArrayLike<number>): Float64Array {
  const out = former === undefined ? new Float64Array(axes.length) : Float64Array.from(former);
  toAxisAngles(out, 0, planAxisAngles(axes), q, 0);
  return out;
}

const angle = fc.double({ min: -10, max: 10, noNaN: true });

describe('toAxisAngles', () => {
  it('returns angles whose product is the rotation, for all complete orders of three axes', () => {
    const orders = axisLists(3).filter(isComplete);
    expect(orders.length).toBe(12);
    const property = fc.property(fc.constantFrom(...orders), fc.integer(), (axes, seed) => {
      const q = randomRotation(makeRandom(seed));
      expectSameRotation(rotationOf(axes, anglesOf(axes, q)), q, EXACT);
    });
    fc.assert(property, { seed: 3, numRuns: lawRuns(3000) });
  });

  it('returns the solution nearest to the former angles', () => {
    const property = fc.property(
      fc.constantFrom(...axisLists(3).filter(isComplete)),
      fc.tuple(angle, angle, angle),
      fc.tuple(angle, angle, angle),
      (axes, angles, noise) => {
        const middle = axes[0] === axes[2] ? Math.sin(angles[1]) : Math.cos(angles[1]);
        fc.pre(Math.abs(middle) > 0.2);
        const near = angles.map((value, k) => value + noise[k] * 0.01);
        expectNear(anglesOf(axes, rotationOf(axes, angles), near), angles, 1e3 * EXACT);
      },
    );
    fc.assert(property, { seed: 5, numRuns: lawRuns(2000) });
  });

  it('stays continuous through gimbal lock', () => {
    for (const axes of axisLists(3).filter(isComplete)) {
      const locked = axes[0] === axes[2] ? 0 : Math.PI / 2;
      let angles: Float64Array = Float64Array.of(0.4, locked - 0.5, -0.3);
      for (let step = 0; step <= 100; step++) {
        const exact = [0.4, locked - 0.5 + step / 100, -0.3];
        const q = rotationOf(axes, exact);
        const next = anglesOf(axes, q, angles);
        expectNear(next, angles, 0.02);
        expectSameRotation(rotationOf(axes, next), q, LOCKED_ANGLES);
        angles = next;
      }
      expectNear(angles, [0.4, locked + 0.5, -0.3], LOCKED_ANGLES);
    }
  });

  it('stays continuous past half rotations', () => {
    let angles: Float64Array = new Float64Array(3);
    for (let k = 0; k <= 400; k++) angles = anglesOf([2, 0, 1], rotationOf([2, 0, 1], [0, 0, k * 0.1]), angles);
    expectNear(angles, [0, 0, 40], 1e3 * EXACT);
  });

  it('returns the nearest reachable rotation for one or two axes', () => {
    const orders = [...axisLists(1), ...axisLists(2), [0, 0, 1], [1, 1, 1], [2, 1, 1]];
    const property = fc.property(
      fc.constantFrom(...orders),
      fc.integer(),
      fc.tuple(angle, angle, angle),
      (axes, seed, other) => {
        const q = randomRotation(makeRandom(seed));
        const found = rotationOf(axes, anglesOf(axes, q));
        const off = quat.angleBetween(found, 0, q, 0);
        expect(off).toBeLessThanOrEqual(quat.angleBetween(rotationOf(axes, other), 0, q, 0) + NEAREST_ROTATION);
        const steps = [-0.01, 0, 0.01];
        const angles = anglesOf(axes, q);
        for (const step of steps.flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z])))) {
          const moved = rotationOf(
            axes,
            angles.map((value, k) => value + step[k]),
          );
          expect(off).toBeLessThanOrEqual(quat.angleBetween(moved, 0, q, 0) + NEAREST_ROTATION);
        }
      },
    );
    fc.assert(property, { seed: 8, numRuns: lawRuns(500) });
  });

  it('returns the exact angles of two axes, and continues them', () => {
    const property = fc.property(fc.constantFrom([0, 1], [2, 0], [1, 2]), angle, angle, (axes, x, y) => {
      expectNear(anglesOf(axes, rotationOf(axes, [x, y]), [x + 0.01, y - 0.01]), [x, y], 1e3 * EXACT);
    });
    fc.assert(property, { seed: 9, numRuns: lawRuns(500) });
  });

  it('uses three of more than three axes, and no axis of an empty list', () => {
    const q = randomRotation(makeRandom(4));
    const angles = anglesOf([0, 0, 1, 0, 2, 1], q);
    expectSameRotation(rotationOf([0, 0, 1, 0, 2, 1], angles), q, EXACT);
    expect([angles[1], angles[3], angles[5]]).toEqual([0, 0, 0]);
    expect([...anglesOf([], q)]).toEqual([]);
    expect(planAxisAngles([0, 0, 1]).isComplete).toBe(false);
    expect(planAxisAngles([0, 1, 0, 2]).axes).toEqual([0, 1, 2]);
  });
});
