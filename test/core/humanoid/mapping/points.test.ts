import { describe, expect, it } from 'vitest';
import {
  across,
  clamp01,
  cosine,
  cross,
  fits,
  middle,
  offSegment,
  pointOf,
  unit,
} from '../../../../src/core/humanoid/mapping/points.ts';

describe('points', () => {
  it('are read from buffers of poses', () => {
    expect(pointOf(Float64Array.of(0, 0, 0, 1, 2, 3), 1)).toEqual([1, 2, 3]);
  });

  it('have directions, where they have a length', () => {
    expect(unit([0, 0, -4])).toEqual([0, 0, -1]);
    expect(unit([0, 0, 0])).toEqual([0, 0, 0]);
    expect(cosine([1, 0, 0], [0, 0, 0])).toBe(0);
    expect(cosine([2, 0, 0], [-3, 0, 0])).toBe(-1);
    expect(cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
    expect(across([1, 2, 3], [0, 1, 0])).toEqual([1, 0, 3]);
    expect(middle([0, 0, 0], [2, 4, 6])).toEqual([1, 2, 3]);
  });

  it('are as far from a segment as from its nearest point', () => {
    expect(offSegment([1, 1, 0], [0, 0, 0], [2, 0, 0])).toBe(1);
    expect(offSegment([5, 4, 0], [0, 0, 0], [2, 0, 0])).toBe(5);
    expect(offSegment([3, 4, 0], [0, 0, 0], [0, 0, 0])).toBe(5);
  });

  it('fit what is expected the less the further they are off', () => {
    expect(fits(0, 1)).toBe(1);
    expect(fits(1, 1)).toBeCloseTo(0.607, 3);
    expect(fits(-3, 1)).toBeLessThan(0.02);
    expect([clamp01(-1), clamp01(0.5), clamp01(2)]).toEqual([0, 0.5, 1]);
  });
});
