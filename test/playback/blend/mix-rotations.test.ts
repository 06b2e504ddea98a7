import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import { mixRotations } from '../../../src/playback/blend/pose-blend.ts';
import { lawRuns } from '../../law-runs.ts';
import { FLOAT32_POSE } from '../../tolerances.ts';

const unit = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((value) => value / Math.hypot(...q)));
/** The second quaternion is anywhere, or close to the first. */
const pair = fc.tuple(unit, unit, fc.boolean()).map(([a, b, isClose]) => {
  const c = isClose ? a.map((value, k) => value + 1e-4 * b[k]) : b;
  return [a, c.map((value) => value / Math.hypot(...c))] as const;
});

it('mixRotations: equals quat.slerp', () => {
  fc.assert(
    fc.property(pair, fc.double({ min: 0, max: 1, noNaN: true }), ([a, b], t) => {
      // Opposite rotations have no shorter arc.
      fc.pre(Math.abs(a.reduce((sum, value, k) => sum + value * b[k], 0)) > 1e-3);
      const out = new Float32Array([9, ...a, 9, ...a]);
      mixRotations(out, new Float32Array([0, ...b, 0, ...b]), 5, 1, new Float64Array([t, 0]));
      const expected = new Float64Array(4);
      quat.slerp(expected, 0, a, 0, b, 0, t);
      if (t > 0) expect(quat.angleBetween(out, 1, expected, 0)).toBeLessThan(FLOAT32_POSE);
      expect([out[0], ...out.slice(5)]).toEqual([9, 9, ...new Float32Array(a)]);
    }),
    { numRuns: lawRuns() },
  );
});
