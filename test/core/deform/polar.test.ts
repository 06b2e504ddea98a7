import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { polarRotation } from '../../../src/core/deform/polar.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { matrixOf } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, LAW_F64 } from '../../support/tolerances.ts';
import { skin } from './skins.ts';

const runs = { seed: 43, numRuns: lawRuns(300) };

describe('polarRotation', () => {
  it('finds the rotation after any symmetric stretch, including mirroring and tiny ones', () => {
    const property = fc.property(
      skin('stretched'),
      fc.constantFrom(1, -1, 1e-6, -1e5),
      ({ joints: [joint] }, factor) => {
        const stretch = joint.stretch.map((x, c) => (c < 15 ? factor * x : x));
        const out = new Float64Array(4);
        expect(polarRotation(out, 0, matrixOf({ ...joint, stretch }), 0)).toBe(true);
        expectSameRotation(out, joint.rotation, EXACT_CHAIN);
      },
    );
    fc.assert(property, runs);
  });

  it('converges for extreme stretches', () => {
    const { matrix, rotation } = {
      matrix: [0, 1, 0, 0, -1e-5, 0, 0, 0, 0, 0, 1e5, 0, 0, 0, 0, 1],
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    };
    const out = new Float64Array(4);
    expect(polarRotation(out, 0, matrix, 0)).toBe(true);
    expectSameRotation(out, rotation, LAW_F64);
  });

  it('returns false for singular matrices and NaN', () => {
    const out = new Float64Array(4);
    for (const bad of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
      const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, bad, 0, 0, 0, 0, 1];
      expect(polarRotation(out, 0, matrix, 0)).toBe(false);
      expectNear(out, [0, 0, 0, 1], 0);
    }
    expect(polarRotation(out, 0, [1, 2, 3, 0, 2, 4, 6, 0, 0, 0, 1, 0, 0, 0, 0, 1], 0)).toBe(false);
  });
});
