import { describe, expect, it } from 'vitest';
import { localToModelMatrices } from '../../../../../src/core/skeleton/pose.ts';
import { roundToHalf } from '../../../../../src/formats/usd/layer/half.ts';
import {
  halfRoundingError,
  roundScalesToHalf,
} from '../../../../../src/formats/usd/write/animation/write-skel-animation.ts';
import { USD_STAGE_F64 } from '../../../../support/tolerances.ts';

const PARENTS = Int32Array.of(-1, 0, 1);
/** A scale of 0.01 above bones of length 100, bent. */
const POSE = Float64Array.of(
  ...[1, 2, 3, 0, 0, 0, 1, 0.01, 0.01, 0.01],
  ...[0, 100, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1.0007, 0.9991, 1],
  ...[0, 100, 0, 0, 0, 0, 1, 1, 1, -1],
);

describe('round-scales-to-half', () => {
  it('roundScalesToHalf: keeps the position of every joint', () => {
    const pose = POSE.slice();
    roundScalesToHalf(pose, PARENTS, [1, 1, 1]);
    const [expected, actual] = [POSE, pose].map((local) => {
      const worlds = new Float64Array(48);
      localToModelMatrices(worlds, PARENTS, local);
      return worlds;
    });
    for (const joint of [0, 1, 2]) {
      const error = [12, 13, 14].map((c) => Math.abs(expected[16 * joint + c] - actual[16 * joint + c]));
      expect(Math.max(...error)).toBeLessThan(USD_STAGE_F64);
      const sizes = [7, 8, 9].map((c) => pose[10 * joint + c]);
      expect(sizes).toEqual(sizes.map(roundToHalf));
    }
    expect(pose[29]).toBe(-1);
    expect(Math.abs(expected[32] - actual[32])).toBeLessThan(0.01 * 2 ** -10);
  });

  it('roundScalesToHalf: does not change joints that are not kept', () => {
    const pose = POSE.slice();
    roundScalesToHalf(pose, PARENTS, [0, 1, 1]);
    expect(Array.from(pose.subarray(0, 10))).toEqual(Array.from(POSE.subarray(0, 10)));
  });

  it('halfRoundingError: returns the relative error', () => {
    expect(halfRoundingError(0)).toBe(0);
    expect(halfRoundingError(0.5)).toBe(0);
    expect(halfRoundingError(0.01)).toBeGreaterThan(1e-4);
  });
});
