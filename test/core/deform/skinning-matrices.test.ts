import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalMatrices, skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import { direction } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { matrixOf, moved, normalized, rotatedBy, transformedNormal } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, LAW_F64, SHARED_NORMAL } from '../../support/tolerances.ts';
import { skin } from './skins.ts';

const runs = { seed: 47, numRuns: lawRuns(200) };
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const scaled = (x: number, y: number, z: number): number[] => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];

describe('skinningMatrices', () => {
  it('transforms a point by bind shape, inverse bind matrix and joint', () => {
    const property = fc.property(skin('stretched'), skin('stretched'), skin('stretched'), (a, b, c) => {
      const model = matrixOf(a.joints[0]);
      const inverseBind = matrixOf(b.joints[0]);
      const shape = matrixOf(c.joints[0]);
      const out = new Float64Array(16);
      // The joint is node 1.
      skinningMatrices(out, Float64Array.from([...IDENTITY, ...model]), [1], Float64Array.from(inverseBind), shape);
      const [point] = a.points;
      expectNear(moved([...out], point), moved(model, moved(inverseBind, moved(shape, point))), LAW_F64);
      skinningMatrices(out, Float64Array.from([...IDENTITY, ...model]), [1], null);
      expectNear(out, model, 0);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });
});

describe('normalMatrices', () => {
  it('transforms a normal to the normal of the transformed surface, mirrored or not', () => {
    const property = fc.property(skin('stretched'), direction(), fc.boolean(), ({ joints }, normal, mirrors) => {
      const matrices = joints.flatMap((joint) => matrixOf(joint).map((x, c) => (mirrors && c < 4 ? -x : x)));
      const out = new Float64Array(matrices.length);
      normalMatrices(out, matrices);
      joints.forEach((_, j) => {
        const expected = transformedNormal(matrices.slice(16 * j, 16 * j + 16), normal);
        expectNear(rotatedBy([...out.slice(16 * j, 16 * j + 16)], normal), expected, EXACT_CHAIN);
      });
    });
    fc.assert(property, runs);
  });

  it('returns true for rotations with one scale, where skinning matrices give the same normals, also in float32', () => {
    const property = fc.property(skin('uniform'), direction(), ({ joints }, normal) => {
      const matrices = Float32Array.from(joints.flatMap(matrixOf));
      const out = new Float64Array(matrices.length);
      expect(normalMatrices(out, matrices)).toBe(true);
      for (let j = 0; j < joints.length; j++) {
        const own = normalized(rotatedBy([...out.slice(16 * j, 16 * j + 16)], normal));
        expectNear(own, normalized(rotatedBy([...matrices.slice(16 * j, 16 * j + 16)], normal)), SHARED_NORMAL);
      }
    });
    fc.assert(property, runs);
  });

  it.each([
    ['two scales', [...IDENTITY, ...scaled(2, 2, 2)]],
    ['a stretch', scaled(1, 1, 1.01)],
    ['shear', [1, 0, 0, 0, 0.01, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
    ['a mirror', scaled(-1, 1, 1)],
    ['no volume', scaled(1, 1, 0)],
    ['no number', scaled(1, Number.NaN, 1)],
  ])('returns false for %s', (_, matrices) => {
    expect(normalMatrices(new Float64Array(matrices.length), matrices)).toBe(false);
  });

  it('sets zero for singular matrices', () => {
    const out = new Float64Array(16);
    normalMatrices(out, scaled(1, 1, 0));
    expect([...out.slice(0, 11)].every((x) => x === 0)).toBe(true);
  });
});
