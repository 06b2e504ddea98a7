import { parseBvh } from 'anyrig/bvh';
import { describe, expect, it } from 'vitest';
import { meaningOfPositions, sizeOfTree, splitByRoot, stayTolerance } from '../../../src/formats/bvh/roots.ts';

const positions = 'CHANNELS 3 Xposition Yposition Zposition';
const TWO = parseBvh(
  `HIERARCHY ROOT A { OFFSET 0 9 0 ${positions} JOINT B { OFFSET 3 0 0 ${positions} End Site { OFFSET 0 4 0 } } } ` +
    `ROOT C { OFFSET 0 5 0 ${positions} } MOTION Frames: 1 Frame Time: 1 0 0 0 3 0 0 0 5 0`,
);

describe('roots of a BVH file', () => {
  it('splitByRoot: splits the joints at every ROOT', () => {
    const names = splitByRoot(TWO).map(({ first, joints }) => [first, joints.map(({ name }) => name)]);
    expect(names).toEqual([
      [0, ['A', 'B', '']],
      [3, ['C']],
    ]);
  });

  it('sizeOfTree: returns the diagonal of the box around the rest pose', () => {
    const [a, c] = splitByRoot(TWO);
    expect(sizeOfTree(a!)).toBe(5);
    expect(sizeOfTree(c!)).toBe(0);
    expect(stayTolerance(a!)).toBeCloseTo(5e-6, 15);
  });

  it('meaningOfPositions: decides separately for the root and for the other joints', () => {
    const [a, c] = splitByRoot(TWO);
    expect(meaningOfPositions(a!, TWO.motion)).toEqual({ rootIsAdded: true, othersAreAdded: false });
    expect(meaningOfPositions(c!, TWO.motion)).toEqual({ rootIsAdded: false, othersAreAdded: false });
    expect(meaningOfPositions(a!, null)).toEqual({ rootIsAdded: false, othersAreAdded: false });
  });
});
