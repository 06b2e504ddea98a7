import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDualQuaternionPose, poseDualQuaternions } from '../../../src/core/deform/dual-quaternions.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { product, times } from '../../support/reference/plain.ts';
import { matrixOf, moved, rotatedBy, transformedNormal } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, LAW_F64 } from '../../support/tolerances.ts';
import { skin } from './skins.ts';

const runs = { seed: 51, numRuns: lawRuns(200) };

describe('poseDualQuaternions', () => {
  it('separates rotation, translation and stretch of every joint', () => {
    const property = fc.property(skin('stretched'), ({ joints, points, normals }) => {
      const pose = makeDualQuaternionPose(joints.length);
      poseDualQuaternions(pose, Float64Array.from(joints.flatMap(matrixOf)));
      joints.forEach(({ rotation, translation, stretch }, j) => {
        const real = [...pose.duals.slice(8 * j, 8 * j + 4)];
        const dual = [...pose.duals.slice(8 * j + 4, 8 * j + 8)];
        expectSameRotation(real, rotation, EXACT_CHAIN);
        const twice = times(product(dual, [-real[0], -real[1], -real[2], real[3]]), 2);
        expectNear(twice, translation, EXACT_CHAIN);
        const own = [...pose.stretches.slice(16 * j, 16 * j + 16)];
        expectNear(moved(own, points[0]), moved(stretch, points[0]), EXACT_CHAIN);
        const forNormals = [...pose.normalStretches.slice(16 * j, 16 * j + 16)];
        expectNear(rotatedBy(forNormals, normals[0]), transformedNormal(stretch, normals[0]), LAW_F64);
      });
    });
    fc.assert(property, runs);
  });

  it('sets hasStretch for stretched joints, not for a bind shape', () => {
    const property = fc.property(skin('rigid'), skin('stretched'), (rigid, stretched) => {
      const pose = makeDualQuaternionPose(rigid.joints.length);
      poseDualQuaternions(pose, Float64Array.from(rigid.joints.flatMap(matrixOf)), matrixOf(stretched.joints[0]));
      expect(pose.hasStretch).toBe(false);
    });
    fc.assert(property, runs);
    const pose = makeDualQuaternionPose(2);
    const one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    poseDualQuaternions(pose, Float64Array.of(...one, ...one.map((x, c) => (c === 5 ? 1.00001 : x))));
    expect(pose.hasStretch).toBe(true);
  });

  it('overwrites all content of the previous pose', () => {
    const property = fc.property(skin('stretched'), skin('rigid'), (before, after) => {
      const count = Math.min(before.joints.length, after.joints.length);
      const used = makeDualQuaternionPose(count);
      const fresh = makeDualQuaternionPose(count);
      const matrices = Float64Array.from(after.joints.slice(0, count).flatMap(matrixOf));
      poseDualQuaternions(used, Float64Array.from(before.joints.flatMap(matrixOf)), matrixOf(before.joints[0]));
      poseDualQuaternions(used, matrices);
      poseDualQuaternions(fresh, matrices);
      expect(used).toEqual(fresh);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });
});
