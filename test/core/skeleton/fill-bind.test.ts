import { expect, it } from 'vitest';
import { fillBind } from '../../../src/core/skeleton/fill-bind.ts';

const at = (x: number, y: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1];
const rest = (x: number, y: number): number[] => [x, y, 0, 0, 0, 0, 1, 1, 1, 1];

it('fillBind: keeps bound nodes, and gives others their rest transform relative to the parent, roots their rest matrix', () => {
  const matrices = Float64Array.from([at(0, 0), at(5, 5), at(0, 0), at(0, 0)].flat());
  const parents = Int32Array.of(-1, 0, 1, 0);
  const poses = Float64Array.from([rest(1, 1), rest(0, 1), rest(0, 2), rest(3, 0)].flat());
  const worlds = Float64Array.from([at(1, 1), at(1, 2), at(1, 4), at(4, 1)].flat());
  fillBind(matrices, Uint8Array.of(0, 1, 0, 0), parents, poses, worlds);
  expect([0, 1, 2, 3].map((node) => [matrices[16 * node + 12], matrices[16 * node + 13]])).toEqual([
    [1, 1],
    [5, 5],
    [5, 7],
    [4, 1],
  ]);
});
