import { expect, it } from 'vitest';
import { pointExtents, restDiagonal } from '../../../src/core/deform/extents.ts';

it('pointExtents: returns minimum and maximum coordinates', () => {
  const out = new Float64Array(7);
  pointExtents(out, 1, Float32Array.of(1, -2, 3, -4, 5, Number.NaN, 0, 0, 0));
  expect([...out]).toEqual([0, -4, -2, 0, 1, 5, 3]);
});

it('pointExtents: returns an empty box for no points', () => {
  const out = new Float32Array(6);
  pointExtents(out, 0, []);
  expect(out[0] > out[3]).toBe(true);
  expect([...out]).toEqual([...Array(3).fill(Number.POSITIVE_INFINITY), ...Array(3).fill(Number.NEGATIVE_INFINITY)]);
});

it('restDiagonal: returns the diagonal of the bounding box of all nodes at rest, 1 for nodes at one point', () => {
  const skeleton = (rest: readonly number[][]) => ({
    name: '',
    names: rest.map((_, node) => `${node}`),
    parents: Int32Array.from(rest, (_, node) => node - 1),
    joints: new Uint8Array(rest.length).fill(1),
    rest: Float64Array.from(rest.flatMap((position) => [...position, 0, 0, 0, 1, 1, 1, 1])),
    bind: null,
  });
  expect(
    restDiagonal(
      skeleton([
        [1, 1, 0],
        [3, 0, 0],
        [0, 4, 0],
      ]),
    ),
  ).toBe(5);
  expect(restDiagonal(skeleton([[1, 1, 0]]))).toBe(1);
  expect(restDiagonal(skeleton([]))).toBe(1);
});
