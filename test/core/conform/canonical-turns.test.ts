import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalTurns, isNoTurn } from '../../../src/core/conform/canonical-turns.ts';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { rotation } from '../../arbitraries.ts';
import { expectSameRotation } from '../../near.ts';
import { EXACT } from '../../tolerances.ts';

const ALL = new Int32Array(BONE_COUNT);

describe('canonicalTurns', () => {
  it('turn the axes of every bone into the canonical ones', () => {
    const bones = fc.array(rotation(), { minLength: BONE_COUNT, maxLength: BONE_COUNT });
    fc.assert(
      fc.property(bones, (worlds) => {
        const rotations = Float64Array.from(worlds.flat());
        const turns = canonicalTurns(rotations, ALL);
        for (let bone = 0; bone < BONE_COUNT; bone++) {
          const found = new Float64Array(4);
          quat.multiply(found, 0, rotations, 4 * bone, turns, 4 * bone);
          expectSameRotation(found, CANONICAL_FRAMES.subarray(4 * bone, 4 * bone + 4), EXACT);
        }
      }),
      { seed: 11, numRuns: 50 },
    );
  });

  it('are exactly none for bones that have these axes, and for bones that are absent', () => {
    const nodes = ALL.slice();
    nodes[BONE.jaw] = -1;
    const rotations = CANONICAL_FRAMES.slice();
    rotations.set([0.6, 0, 0, 0.8], 4 * BONE.jaw);
    expect(canonicalTurns(rotations, nodes)).toEqual(
      Float64Array.from({ length: 4 * BONE_COUNT }, (_, c) => (c % 4 === 3 ? 1 : 0)),
    );
  });
});

it('isNoTurn tells a rounding from a turn, whichever sign the quaternion has', () => {
  expect(isNoTurn([0, 0, 0, -1], 0)).toBe(true);
  expect(isNoTurn([1e-10, 0, 0, 1], 0)).toBe(true);
  expect(isNoTurn([1e-7, 0, 0, 1], 0)).toBe(false);
});
