import { describe, expect, it } from 'vitest';
import type { Interpolation, TrackPath } from '../../../src/core/animation/clip.ts';
import { isConstantTrack } from '../../../src/core/animation/is-constant-track.ts';

function isConstant(path: TrackPath, interpolation: Interpolation, times: number[], values: number[]): boolean {
  return isConstantTrack({
    target: 0,
    path,
    interpolation,
    times: Float32Array.from(times),
    values: Float32Array.from(values),
  });
}

describe('isConstantTrack', () => {
  it('compares every value with the first', () => {
    expect(isConstant('translation', 'LINEAR', [0, 1, 2], [1, 2, 3, 1, 2, 3, 1, 2, 3])).toBe(true);
    expect(isConstant('translation', 'LINEAR', [0, 1, 2], [1, 2, 3, 1, 2, 3, 1, 2, 3.0001])).toBe(false);
    expect(isConstant('scale', 'STEP', [0, 1], [1, 1, 1, 1, 1, 1])).toBe(true);
    expect(isConstant('translation', 'STEP', [0, 1], [1, 2, 3, -1, -2, -3])).toBe(false);
    expect(isConstant('rotation', 'LINEAR', [0], [0, 0, 0, 1])).toBe(true);
    expect(isConstant('rotation', 'LINEAR', [], [])).toBe(true);
  });

  it('treats a quaternion and its negative as equal, except in a spline', () => {
    expect(isConstant('rotation', 'LINEAR', [0, 1], [0, 0.6, 0, 0.8, 0, -0.6, 0, -0.8])).toBe(true);
    expect(isConstant('rotation', 'STEP', [0, 1], [0, 0.6, 0, 0.8, 0, 0.6, 0, -0.8])).toBe(false);
    const zero = [0, 0, 0, 0];
    const one = [0, 0.6, 0, 0.8];
    const opposite = [0, -0.6, 0, -0.8];
    expect(isConstant('rotation', 'CUBICSPLINE', [0, 1], [...zero, ...one, ...zero, ...zero, ...one, ...zero])).toBe(
      true,
    );
    expect(
      isConstant('rotation', 'CUBICSPLINE', [0, 1], [...zero, ...one, ...zero, ...zero, ...opposite, ...zero]),
    ).toBe(false);
  });

  it('requires the used tangents of a spline to be 0', () => {
    const spline = (outTangent: number, inTangent: number, unused: number): boolean =>
      isConstant(
        'translation',
        'CUBICSPLINE',
        [0, 1],
        [unused, 0, 0, 1, 2, 3, 0, outTangent, 0, 0, 0, inTangent, 1, 2, 3, 0, unused, 0],
      );
    expect(spline(0, 0, 0)).toBe(true);
    expect(spline(0, 0, 5)).toBe(true);
    expect(spline(1, 0, 0)).toBe(false);
    expect(spline(0, 1, 0)).toBe(false);
  });
});
