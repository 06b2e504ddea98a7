import { describe, expect, it } from 'vitest';
import { trianglesOf } from '../../../../src/formats/usd/write/triangles.ts';

const corners = (mode: Parameters<typeof trianglesOf>[0]['mode'], indices: number[] | null, vertexCount = 5) => {
  const found = trianglesOf({ mode, indices: indices === null ? null : Uint32Array.from(indices), vertexCount });
  return found === null ? null : [...found];
};

describe('triangles of primitives', () => {
  it('are those of lists, without an unfinished one', () => {
    expect(corners('triangles', null)).toEqual([0, 1, 2]);
    expect(corners('triangles', [2, 1, 0, 4, 3, 2])).toEqual([2, 1, 0, 4, 3, 2]);
  });

  it('keep their side in strips and fans', () => {
    expect(corners('triangle-strip', null)).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4]);
    expect(corners('triangle-fan', null)).toEqual([1, 2, 0, 2, 3, 0, 3, 4, 0]);
  });

  it('have only vertices that exist', () => {
    expect(corners('triangles', [0, 1, 9, 0, 1, 2])).toEqual([0, 1, 2]);
  });

  it('are none of points and lines', () => {
    expect([corners('points', null), corners('line-strip', null)]).toEqual([null, null]);
  });
});
