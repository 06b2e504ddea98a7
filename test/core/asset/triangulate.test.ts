import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triangulate, triangulationBudget } from '../../../src/core/asset/triangulate.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

/** Triangulates corners x, y in the plane z = 0. */
function cut(corners: readonly (readonly [number, number])[], budget = triangulationBudget()): number[][] {
  const out: number[] = [];
  triangulate(Float64Array.from(corners.flatMap(([x, y]) => [x, y, 0])), corners.length, out, budget);
  return Array.from({ length: out.length / 3 }, (_, t) => out.slice(3 * t, 3 * t + 3));
}

function areaOf(corners: readonly (readonly [number, number])[], list: readonly number[]): number {
  let twice = 0;
  list.forEach((a, k) => {
    const b = list[(k + 1) % list.length];
    twice += corners[a][0] * corners[b][1] - corners[b][0] * corners[a][1];
  });
  return twice / 2;
}

describe('triangulate', () => {
  it('keeps triangles, and returns nothing for fewer corners', () => {
    expect(
      cut([
        [0, 0],
        [1, 0],
        [0, 1],
      ]),
    ).toEqual([[0, 1, 2]]);
    expect(
      cut([
        [0, 0],
        [1, 0],
      ]),
    ).toEqual([]);
  });

  it('splits a convex quad at the shorter diagonal', () => {
    expect(
      cut([
        [0, 0],
        [3, 0],
        [4, 1],
        [1, 1],
      ]),
    ).toEqual([
      [0, 1, 3],
      [1, 2, 3],
    ]);
    expect(
      cut([
        [0, 0],
        [1, -1],
        [2, 0],
        [1, 3],
      ]),
    ).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
  });

  it('splits a concave quad at its reflex corner', () => {
    const dart = [
      [0, 0],
      [4, -3],
      [1, 0],
      [4, 3],
    ] as const;
    for (let turn = 0; turn < 4; turn++) {
      const corners = [...dart.slice(turn), ...dart.slice(0, turn)];
      for (const triangle of cut(corners)) expect(areaOf(corners, triangle)).toBeGreaterThan(0);
    }
  });

  it('covers any star-shaped polygon without flipped triangles', () => {
    const radii = fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(radii, fc.boolean(), (list, isClockwise) => {
        const corners = list.map((radius, k): [number, number] => {
          const angle = ((isClockwise ? -1 : 1) * 2 * Math.PI * k) / list.length;
          return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
        const triangles = cut(corners);
        const whole = areaOf(corners, [...corners.keys()]);
        const areas = triangles.map((triangle) => areaOf(corners, triangle));
        expect(triangles).toHaveLength(corners.length - 2);
        for (const area of areas) expect(area * Math.sign(whole)).toBeGreaterThanOrEqual(-EXACT_CHAIN);
        expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(whole, 9);
      }),
      { seed: 71, numRuns: lawRuns(300) },
    );
  });

  it('keeps a hole that a bridge edge joins to the rim', () => {
    const ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 0],
      [1, 1],
      [1, 3],
      [3, 3],
      [3, 1],
      [1, 1],
    ] as const;
    const triangles = cut(ring);
    expect(triangles).toHaveLength(8);
    for (const triangle of triangles) expect(areaOf(ring, triangle)).toBeGreaterThanOrEqual(0);
    expect(triangles.reduce((sum, triangle) => sum + areaOf(ring, triangle), 0)).toBeCloseTo(12, 12);
  });

  it('returns a fan for a polygon without ears, and once the budget is exhausted', () => {
    const flat = [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
    ] as const;
    expect(cut(flat)).toHaveLength(4);
    const budget = { tests: 0 };
    const corners = Array.from({ length: 9 }, (_, k): [number, number] => [Math.cos(k), Math.sin(k)]);
    expect(cut(corners, budget)).toHaveLength(7);
  });

  it.runIf(IS_FULL_RUN)('triangulates a large zigzag polygon in bounded time', () => {
    const comb = Array.from({ length: 20000 }, (_, k): [number, number] => [k, k % 2 === 0 ? 0 : 1e-3 * k * k]);
    const spent = cpuTimer();
    expect(cut(comb)).toHaveLength(comb.length - 2);
    expect(spent()).toBeLessThan(5000);
  });
});
