import { describe, expect, it } from 'vitest';
import type { PrimitiveMode } from '../../../../src/core/asset/geometry.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { repairIndices } from '../../../../src/formats/gltf/meshes/repair-indices.ts';

function drawn(mode: PrimitiveMode, vertexCount: number, indices: readonly number[] | null) {
  const repairs: IssueTally = new Map();
  const found = repairIndices({ mode, vertexCount, indices: indices && Uint32Array.from(indices) }, repairs);
  return { found: found === null ? null : found.indices && Array.from(found.indices), repairs: [...repairs.values()] };
}

describe('repairIndices', () => {
  it('returns valid indices unchanged', () => {
    expect(drawn('triangles', 3, null)).toEqual({ found: null, repairs: [] });
    const indices = Uint32Array.of(2, 1, 0);
    expect(repairIndices({ mode: 'triangles', vertexCount: 3, indices }, new Map())?.indices).toBe(indices);
  });

  it('drops incomplete faces', () => {
    expect(drawn('triangles', 4, [0, 1, 2, 3])).toEqual({ found: [0, 1, 2], repairs: [1] });
    expect(drawn('triangles', 5, null)).toEqual({ found: [0, 1, 2], repairs: [2] });
    expect(drawn('lines', 3, [0, 1, 2])).toEqual({ found: [0, 1], repairs: [1] });
    expect(drawn('triangle-strip', 4, [0, 1, 2, 3])).toEqual({ found: [0, 1, 2, 3], repairs: [] });
  });

  it('drops indices of missing vertices, with their face where faces are independent', () => {
    expect(drawn('triangles', 3, [0, 1, 3, 2, 1, 0])).toEqual({ found: [2, 1, 0], repairs: [3] });
    expect(drawn('line-strip', 3, [0, 9, 1, 2])).toEqual({ found: [0, 1, 2], repairs: [1] });
  });

  it.each<[PrimitiveMode, number]>([
    ['points', 0],
    ['lines', 1],
    ['line-loop', 1],
    ['line-strip', 1],
    ['triangles', 2],
    ['triangle-strip', 2],
    ['triangle-fan', 2],
  ])('returns null for %s with %i indices', (mode, count) => {
    const repairs: IssueTally = new Map();
    expect(repairIndices({ mode, vertexCount: count, indices: null }, repairs)).toBeNull();
    expect(repairIndices({ mode, vertexCount: count + 1, indices: null }, repairs)).not.toBeNull();
    expect(repairs.size).toBe(1);
  });
});
