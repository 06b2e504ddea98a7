import { parseBvh } from 'anyrig/bvh';
import { describe, expect, it } from 'vitest';
import { positionsAreMoves } from '../../../src/formats/bvh/positions.ts';

/** One root with one position channel an axis, and its frames. */
function moves(offset: string, frames: readonly string[], channels = 'Xposition Yposition Zposition'): boolean {
  const tree = parseBvh(
    `HIERARCHY ROOT a { OFFSET ${offset} CHANNELS ${channels.split(' ').length} ${channels} } MOTION ` +
      `Frames: ${frames.length} Frame Time: 1 ${frames.join(' ')}`,
  );
  return positionsAreMoves(tree.joints, tree.motion!, 1e-9);
}

describe('positionsAreMoves', () => {
  it('finds moves where the OFFSET stands upright and the positions stay at 0 along it, however far they go elsewhere', () => {
    expect(moves('0 94 0', ['0 0 0', '0 1 100', '0 -1 300'])).toBe(true);
    expect(moves('0 1.2 9.6', ['0 0 0', '0 0 -2e-6'])).toBe(true);
  });

  it('finds places where the positions are around the OFFSET, crouch, lie on the floor or start at another spot', () => {
    expect(moves('0 94 0', ['-6 88 -160'])).toBe(false);
    expect(moves('0 94 0', ['0 40 0', '0 30 0'])).toBe(false);
    expect(moves('0 94 0', ['0 12 0', '0 10 0'])).toBe(false);
    expect(moves('173 92 -518', ['0 91 0', '10 92 10'])).toBe(false);
  });

  it('calls it places where there is nothing to tell by', () => {
    expect(moves('0 0 0', ['0 0 0'])).toBe(false);
    expect(moves('0 1e-17 0', ['0 0 0'])).toBe(false);
    expect(moves('0 94 0', [])).toBe(false);
    expect(moves('0 94 0', ['0 0'], 'Xposition Zposition')).toBe(false);
    expect(moves('0 94 0', ['0'], 'Yrotation')).toBe(false);
  });
});
