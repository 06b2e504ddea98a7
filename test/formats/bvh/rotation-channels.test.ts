import { describe, expect, it } from 'vitest';
import * as quat from '../../../src/core/math/quat.ts';
import { rotationChannels, rotationError, writeRotation } from '../../../src/formats/bvh/rotation-channels.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

function about(axis: readonly number[], degrees: number): Float64Array {
  const q = new Float64Array(4);
  quat.fromAxisAngle(q, 0, axis, 0, (degrees * Math.PI) / 180);
  return q;
}

describe('rotation channels', () => {
  it('write degrees to the rotation columns, and leave positions between them unchanged', () => {
    const channels = rotationChannels(['Xposition', 'Zrotation', 'Yposition', 'Xrotation', 'Yrotation'], 2);
    const row = new Float64Array(9).fill(7);
    writeRotation(row, 1, channels, about([1, 0, 0], 30), 0);
    expectNear(row, [7, 7, 7, 7, 0, 7, 30, 0, 7], EXACT_CHAIN);
    expect(rotationError(channels, about([1, 0, 0], 30), 0)).toBeLessThan(EXACT_CHAIN);
  });

  it('continue from the angles of the previous frame', () => {
    const channels = rotationChannels(['Yrotation'], 0);
    const row = new Float64Array(1);
    for (let degrees = 0; degrees <= 720; degrees += 90) {
      writeRotation(row, 0, channels, about([0, 1, 0], degrees), 0);
      expectNear(row, [degrees], EXACT_CHAIN);
    }
  });

  it('rotationError returns the remaining angle, and writeRotation writes nothing without channels', () => {
    const hinge = rotationChannels(['Yrotation'], 0);
    writeRotation(new Float64Array(1), 0, hinge, about([1, 0, 0], 20), 0);
    expect(rotationError(hinge, about([1, 0, 0], 20), 0)).toBeCloseTo(Math.PI / 9, 9);
    const row = Float64Array.of(7);
    writeRotation(row, 0, rotationChannels(['Xposition'], 0), about([1, 0, 0], 20), 0);
    expect([...row]).toEqual([7]);
  });
});
