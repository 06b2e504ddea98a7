import { describe, expect, it } from 'vitest';
import type { Influences } from '../../../../../src/core/deform/influences.ts';
import * as mat4 from '../../../../../src/core/math/mat4.ts';
import { isSkinningMethod, skinTransform } from '../../../../../src/formats/usd/skel/deform/skin-mesh.ts';
import { EXACT } from '../../../../support/tolerances.ts';

/** Two joints: one turned by 90° about z and moved, one that scales. */
const SKINNING = new Float64Array(32);
mat4.compose(SKINNING, 0, [1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1, 1, 1], 0);
mat4.compose(SKINNING, 16, [0, 0, 0, 0, 0, 0, 1, 2, 1, 1], 0);
const BIND = new Float64Array(16);
mat4.compose(BIND, 0, [0, 1, 0, 0, 0, 0, 1, 1, 1, 1], 0);

function near(found: ArrayLike<number>, expected: ArrayLike<number>): void {
  expect(found.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(Math.abs(found[i] - expected[i])).toBeLessThan(EXACT);
}

const rigid = (indices: number[], weights: number[]): Influences => ({
  kind: 'constant',
  jointsPerVertex: indices.length,
  indices: Int32Array.from(indices),
  weights: Float64Array.from(weights),
});

describe('skinTransform', () => {
  it('uses the matrix of a single joint', () => {
    const expected = new Float64Array(16);
    mat4.multiply(expected, 0, SKINNING, 0, BIND, 0);
    for (const method of ['classicLinear', 'dualQuaternion'] as const) {
      near(skinTransform(rigid([0], [1]), method, SKINNING, BIND), expected);
    }
  });

  it('is the weighted sum of matrices for several joints (linear)', () => {
    const expected = Array.from({ length: 16 }, (_, c) => 0.25 * SKINNING[c] + 0.75 * SKINNING[16 + c]);
    const identity = new Float64Array(16);
    mat4.identity(identity, 0);
    near(skinTransform(rigid([0, 1], [0.25, 0.75]), 'classicLinear', SKINNING, identity), expected);
  });

  it('interpolates rotations halfway with dual quaternions', () => {
    const identity = new Float64Array(16);
    mat4.identity(identity, 0);
    const turns = new Float64Array(32);
    mat4.copy(turns, 0, identity, 0);
    mat4.compose(turns, 16, [0, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 1, 1, 1], 0);
    const half = skinTransform(rigid([0, 1], [0.5, 0.5]), 'dualQuaternion', turns, identity);
    near(half.subarray(0, 2), [Math.SQRT1_2, Math.SQRT1_2]);
  });
});

it('isSkinningMethod: is true for the two methods only', () => {
  expect(['classicLinear', 'dualQuaternion', 'other', ''].filter(isSkinningMethod)).toEqual([
    'classicLinear',
    'dualQuaternion',
  ]);
});
