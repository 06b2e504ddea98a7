import { expect, test } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import { yawOf } from '../../../src/core/root-motion/yaw.ts';

test('yawOf: the heading of a rotation, whatever it is tilted by afterwards', () => {
  const [heading, tilt, both, twist] = Array.from({ length: 4 }, () => new Float64Array(4));
  for (const yaw of [-3, -1, 0, 0.4, 2.5]) {
    quat.fromAxisAngle(heading, 0, [0, 1, 0], 0, yaw);
    quat.fromAxisAngle(tilt, 0, [1, 0, 0], 0, 0.7);
    quat.multiply(both, 0, heading, 0, tilt, 0);
    expect(yawOf(twist, both)).toBeCloseTo(yaw, 12);
    expect(quat.angleBetween(twist, 0, heading, 0)).toBeLessThan(1e-7);
  }
});
