import { describe, expect, it } from 'vitest';
import {
  cosine,
  cross,
  distanceToSegment,
  midpoint,
  perpendicular,
  pointOf,
  unit,
} from '../../../src/core/math/triples.ts';

describe('triples', () => {
  it('pointOf: reads a position from a buffer', () => {
    expect(pointOf(Float64Array.of(0, 0, 0, 1, 2, 3), 1)).toEqual([1, 2, 3]);
  });

  it('unit and cosine: return zero for zero vectors', () => {
    expect(unit([0, 0, -4])).toEqual([0, 0, -1]);
    expect(unit([0, 0, 0])).toEqual([0, 0, 0]);
    expect(cosine([1, 0, 0], [0, 0, 0])).toBe(0);
    expect(cosine([2, 0, 0], [-3, 0, 0])).toBe(-1);
    expect(cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
    expect(perpendicular([1, 2, 3], [0, 1, 0])).toEqual([1, 0, 3]);
    expect(midpoint([0, 0, 0], [2, 4, 6])).toEqual([1, 2, 3]);
  });

  it('distanceToSegment: measures to the nearest point', () => {
    expect(distanceToSegment([1, 1, 0], [0, 0, 0], [2, 0, 0])).toBe(1);
    expect(distanceToSegment([5, 4, 0], [0, 0, 0], [2, 0, 0])).toBe(5);
    expect(distanceToSegment([3, 4, 0], [0, 0, 0], [0, 0, 0])).toBe(5);
  });
});
