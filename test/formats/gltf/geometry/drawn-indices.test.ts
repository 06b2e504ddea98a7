import { describe, expect, it } from 'vitest';
import type { PrimitiveMode } from '../../../../src/core/asset/geometry.ts';
import { drawnIndices } from '../../../../src/formats/gltf/geometry/drawn-indices.ts';
import type { Mends } from '../../../../src/formats/gltf/mends.ts';

function drawn(mode: PrimitiveMode, vertexCount: number, indices: readonly number[] | null) {
  const mends: Mends = new Map();
  const found = drawnIndices({ mode, vertexCount, indices: indices && Uint32Array.from(indices) }, mends);
  return { found: found === null ? null : found.indices && Array.from(found.indices), mends: [...mends.values()] };
}

describe('drawnIndices', () => {
  it('gives back what is right', () => {
    expect(drawn('triangles', 3, null)).toEqual({ found: null, mends: [] });
    const indices = Uint32Array.of(2, 1, 0);
    expect(drawnIndices({ mode: 'triangles', vertexCount: 3, indices }, new Map())?.indices).toBe(indices);
  });

  it('leaves out unfinished faces', () => {
    expect(drawn('triangles', 4, [0, 1, 2, 3])).toEqual({ found: [0, 1, 2], mends: [1] });
    expect(drawn('triangles', 5, null)).toEqual({ found: [0, 1, 2], mends: [2] });
    expect(drawn('lines', 3, [0, 1, 2])).toEqual({ found: [0, 1], mends: [1] });
    expect(drawn('triangle-strip', 4, [0, 1, 2, 3])).toEqual({ found: [0, 1, 2, 3], mends: [] });
  });

  it('leaves out what names vertices that do not exist, whole faces where these are on their own', () => {
    expect(drawn('triangles', 3, [0, 1, 3, 2, 1, 0])).toEqual({ found: [2, 1, 0], mends: [3] });
    expect(drawn('line-strip', 3, [0, 9, 1, 2])).toEqual({ found: [0, 1, 2], mends: [1] });
  });

  it.each<[PrimitiveMode, number]>([
    ['points', 0],
    ['lines', 1],
    ['line-loop', 1],
    ['line-strip', 1],
    ['triangles', 2],
    ['triangle-strip', 2],
    ['triangle-fan', 2],
  ])('says that nothing is drawn by %s with %i corners', (mode, count) => {
    const mends: Mends = new Map();
    expect(drawnIndices({ mode, vertexCount: count, indices: null }, mends)).toBeNull();
    expect(drawnIndices({ mode, vertexCount: count + 1, indices: null }, mends)).not.toBeNull();
    expect(mends.size).toBe(1);
  });
});
