import { parseBvh } from 'anyrig/bvh';
import { describe, expect, it } from 'vitest';
import {
  meaningOfPositions,
  positionsAreOffsets,
  sizeOfTree,
  splitByRoot,
  stayTolerance,
} from '../../../src/formats/bvh/roots.ts';

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
    expect(meaningOfPositions(a!, TWO.motion)).toEqual({ root: 'added', others: 'replaced' });
    expect(meaningOfPositions(c!, TWO.motion)).toEqual({ root: 'replaced', others: 'replaced' });
    expect(meaningOfPositions(a!, null)).toEqual({ root: 'replaced', others: 'replaced' });
  });
});

/** Runs `positionsAreOffsets` on one root with one position channel per axis. */
function areOffsets(offset: string, frames: readonly string[], channels = 'Xposition Yposition Zposition'): boolean {
  const tree = parseBvh(
    `HIERARCHY ROOT a { OFFSET ${offset} CHANNELS ${channels.split(' ').length} ${channels} } MOTION ` +
      `Frames: ${frames.length} Frame Time: 1 ${frames.join(' ')}`,
  );
  return positionsAreOffsets(tree.joints, tree.motion!, 1e-9);
}

describe('positionsAreOffsets', () => {
  it('is true when positions stay near 0 along an upright OFFSET, whatever they are on the other axes', () => {
    expect(areOffsets('0 94 0', ['0 0 0', '0 1 100', '0 -1 300'])).toBe(true);
    expect(areOffsets('0 1.2 9.6', ['0 0 0', '0 0 -2e-6'])).toBe(true);
  });

  it('is false for positions around the OFFSET, for crouching and lying, and for another start position', () => {
    expect(areOffsets('0 94 0', ['-6 88 -160'])).toBe(false);
    expect(areOffsets('0 94 0', ['0 40 0', '0 30 0'])).toBe(false);
    expect(areOffsets('0 94 0', ['0 12 0', '0 10 0'])).toBe(false);
    expect(areOffsets('173 92 -518', ['0 91 0', '10 92 10'])).toBe(false);
  });

  it('is false without evidence', () => {
    expect(areOffsets('0 0 0', ['0 0 0'])).toBe(false);
    expect(areOffsets('0 1e-17 0', ['0 0 0'])).toBe(false);
    expect(areOffsets('0 94 0', [])).toBe(false);
    expect(areOffsets('0 94 0', ['0 0'], 'Xposition Zposition')).toBe(false);
    expect(areOffsets('0 94 0', ['0'], 'Yrotation')).toBe(false);
  });
});
