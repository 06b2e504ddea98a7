import { expect, it } from 'vitest';
import { localSizes, nodeReaches, skeletonSize } from '../../../src/core/skeleton/skeleton-size.ts';

function skeleton(positions: readonly number[][], joints = positions.map(() => 1)) {
  return {
    parents: Int32Array.from(positions, (_, node) => node - 1),
    joints: Uint8Array.from(joints),
    rest: Float64Array.from(positions.flatMap((position) => [...position, 0, 0, 0, 1, 1, 1, 1])),
  };
}

const CHAIN = [
  [1, 1, 0],
  [3, 0, 0],
  [0, 4, 0],
];

it('skeletonSize: is the diagonal of the box around the joints at rest', () => {
  expect(skeletonSize(skeleton(CHAIN))).toBe(5);
});

it('skeletonSize: leaves out nodes that are no joints, such as a far away root', () => {
  expect(skeletonSize(skeleton([[100, 0, 0], ...CHAIN], [0, 1, 1, 1]))).toBe(5);
});

it('skeletonSize: takes all nodes where none is a joint', () => {
  expect(skeletonSize(skeleton(CHAIN, [0, 0, 0]))).toBe(5);
});

it('skeletonSize: is 1 for joints at one point, for none, and beyond float32', () => {
  expect(skeletonSize(skeleton([[1, 1, 0]]))).toBe(1);
  expect(skeletonSize(skeleton([]))).toBe(1);
  expect(
    skeletonSize(
      skeleton([
        [0, 0, 0],
        [1e300, 0, 0],
      ]),
    ),
  ).toBe(1);
});

it('localSizes: is the size in the unit of the parent, which is scaled, and never more than the size', () => {
  const chain = skeleton(CHAIN);
  chain.rest.fill(100, 7, 10);
  const size = skeletonSize(chain);
  expect([...localSizes(chain)]).toEqual([size, size / 100, size / 100]);
  chain.rest.fill(0.01, 17, 20);
  expect(localSizes(chain)[2]).toBe(skeletonSize(chain));
});

it('nodeReaches: is the longest path from a node to one below it, relative to the size', () => {
  const { rest, joints } = skeleton([...CHAIN, [1, 0, 0]]);
  const reaches = nodeReaches({ parents: Int32Array.of(-1, 0, 1, 1), rest, joints });
  for (const [node, path] of [7, 4, 0, 0].entries()) expect(reaches[node]).toBeCloseTo(path / Math.sqrt(32), 12);
});
