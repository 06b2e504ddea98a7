import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { canonicalRotations, isIdentityRotation } from '../../../src/core/normalize/canonical-rotations.ts';
import { rotation } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectSameRotation } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const ALL = new Int32Array(BONE_COUNT);

describe('canonicalRotations', () => {
  it('rotates the axes of every bone to the canonical ones', () => {
    const bones = fc.array(rotation(), { minLength: BONE_COUNT, maxLength: BONE_COUNT });
    fc.assert(
      fc.property(bones, (worlds) => {
        const rotations = Float64Array.from(worlds.flat());
        const corrections = canonicalRotations(rotations, ALL);
        for (let bone = 0; bone < BONE_COUNT; bone++) {
          const found = new Float64Array(4);
          quat.multiply(found, 0, rotations, 4 * bone, corrections, 4 * bone);
          expectSameRotation(found, CANONICAL_FRAMES.subarray(4 * bone, 4 * bone + 4), EXACT);
        }
      }),
      { seed: 11, numRuns: lawRuns(50) },
    );
  });

  it('returns the exact identity for canonical axes and for absent bones', () => {
    const nodes = ALL.slice();
    nodes[BONE.jaw] = -1;
    const rotations = CANONICAL_FRAMES.slice();
    rotations.set([0.6, 0, 0, 0.8], 4 * BONE.jaw);
    expect(canonicalRotations(rotations, nodes)).toEqual(
      Float64Array.from({ length: 4 * BONE_COUNT }, (_, c) => (c % 4 === 3 ? 1 : 0)),
    );
  });
});

it('isIdentityRotation accepts rounding errors, independent of the sign of the quaternion', () => {
  expect(isIdentityRotation([0, 0, 0, -1], 0)).toBe(true);
  expect(isIdentityRotation([1e-10, 0, 0, 1], 0)).toBe(true);
  expect(isIdentityRotation([1e-7, 0, 0, 1], 0)).toBe(false);
});
