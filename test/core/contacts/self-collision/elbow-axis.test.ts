import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elbowAxis } from '../../../../src/core/contacts/self-collision/elbow-axis.ts';

const DEGREE = Math.PI / 180;

/** Axis of an elbow of an arm along +X that bends by an angle about an axis this far from +Y, that of the reference pose; degrees. */
function axisOf(angle: number, turn: number): Float64Array {
  const axis = Float64Array.of(0, 1, 0);
  const sine = Math.sin(angle * DEGREE);
  elbowAxis(axis, 0, Float64Array.of(0, sine * Math.cos(turn * DEGREE), sine * Math.sin(turn * DEGREE)));
  return axis;
}

/** Angle between two axes, degrees. */
function between(a: Float64Array, b: Float64Array): number {
  return Math.acos(Math.min(1, a[1] * b[1] + a[2] * b[2])) / DEGREE;
}

describe('elbowAxis', () => {
  test('a straight elbow, and one that bends straight backward by up to 25°, has that of the reference pose', () => {
    for (const angle of [0, 5, 6, 25]) expect(between(axisOf(angle, 180), axisOf(0, 0))).toBeLessThan(1e-6);
  });

  test('an elbow that is bent has the axis of its bend, whatever the twist of its upper arm', () => {
    for (const turn of [-90, -45, 0, 45, 90])
      expect(Math.abs(between(axisOf(60, turn), axisOf(90, turn)))).toBeLessThan(1.5);
  });

  test('a small change of an arm that bends by up to 20° changes the axis little, whatever direction it bends to', () => {
    const bend = fc.tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: -20, max: 20, noNaN: true }));
    const axisAt = ([y, z]: readonly number[]): Float64Array =>
      axisOf(Math.min(20, Math.hypot(y, z)), Math.atan2(z, y) / DEGREE);
    fc.assert(
      fc.property(bend, fc.double({ min: -180, max: 180, noNaN: true }), ([y, z], direction) => {
        const step = 0.01;
        const next = [y + step * Math.cos(direction * DEGREE), z + step * Math.sin(direction * DEGREE)];
        expect(between(axisAt([y, z]), axisAt(next))).toBeLessThan(20 * step);
      }),
    );
  });
});
