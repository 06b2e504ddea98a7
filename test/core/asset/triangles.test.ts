import { describe, expect, it } from 'vitest';
import { toTriangles } from '../../../src/core/asset/triangles.ts';

const corners = (mode: Parameters<typeof toTriangles>[0]['mode'], indices: number[] | null, vertexCount = 5) => {
  const found = toTriangles({ mode, indices: indices === null ? null : Uint32Array.from(indices), vertexCount });
  return found === null ? null : [...found];
};

describe('toTriangles', () => {
  it('lists complete triangles', () => {
    expect(corners('triangles', null)).toEqual([0, 1, 2]);
    expect(corners('triangles', [2, 1, 0, 4, 3, 2])).toEqual([2, 1, 0, 4, 3, 2]);
  });

  it('keeps the winding of strips and fans', () => {
    expect(corners('triangle-strip', null)).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4]);
    expect(corners('triangle-fan', null)).toEqual([1, 2, 0, 2, 3, 0, 3, 4, 0]);
  });

  it('omits triangles with missing vertices', () => {
    expect(corners('triangles', [0, 1, 9, 0, 1, 2])).toEqual([0, 1, 2]);
  });

  it('returns null for points and lines', () => {
    expect([corners('points', null), corners('line-strip', null)]).toEqual([null, null]);
  });
});
