import { describe, expect, it } from 'vitest';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import { roundToHalf } from '../../../../src/formats/usd/layer/half.ts';
import { halfError, roundScales } from '../../../../src/formats/usd/write/half-scales.ts';
import { USD_STAGE_F64 } from '../../../tolerances.ts';

const PARENTS = Int32Array.of(-1, 0, 1);
/** A scale of 0.01 above bones of 100, bent. */
const POSE = Float64Array.of(
  ...[1, 2, 3, 0, 0, 0, 1, 0.01, 0.01, 0.01],
  ...[0, 100, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1.0007, 0.9991, 1],
  ...[0, 100, 0, 0, 0, 0, 1, 1, 1, -1],
);

describe('scales as halves', () => {
  it('leave every joint where it is', () => {
    const pose = POSE.slice();
    roundScales(pose, PARENTS, [1, 1, 1]);
    const [wanted, got] = [POSE, pose].map((local) => {
      const worlds = new Float64Array(48);
      localToModelMatrices(worlds, PARENTS, local);
      return worlds;
    });
    for (const joint of [0, 1, 2]) {
      const error = [12, 13, 14].map((c) => Math.abs(wanted[16 * joint + c] - got[16 * joint + c]));
      expect(Math.max(...error)).toBeLessThan(USD_STAGE_F64);
      const sizes = [7, 8, 9].map((c) => pose[10 * joint + c]);
      expect(sizes).toEqual(sizes.map(roundToHalf));
    }
    expect(pose[29]).toBe(-1);
    expect(Math.abs(wanted[32] - got[32])).toBeLessThan(0.01 * 2 ** -10);
  });

  it('leave joints that are not written as they are', () => {
    const pose = POSE.slice();
    roundScales(pose, PARENTS, [0, 1, 1]);
    expect(Array.from(pose.subarray(0, 10))).toEqual(Array.from(POSE.subarray(0, 10)));
  });

  it('are off by a part of themselves', () => {
    expect(halfError(0)).toBe(0);
    expect(halfError(0.5)).toBe(0);
    expect(halfError(0.01)).toBeGreaterThan(1e-4);
  });
});
