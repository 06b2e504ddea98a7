import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDualQuaternionPose, poseDualQuaternions } from '../../../src/core/deform/dual-quaternions.ts';
import { skinDualQuaternion } from '../../../src/core/deform/skin-dual-quaternion.ts';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { normalMatrices, skinningMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import type { Vertices } from '../../../src/core/deform/vertices.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { product, rotated, unit } from '../../support/reference/plain.ts';
import { dualQuaternionNormal, dualQuaternionPoint, matrixOf } from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, LAW_F64, SHORT_BLEND } from '../../support/tolerances.ts';
import { emptyVertices, packInfluences, packVertices, type Skin, skin } from './skins.ts';

const runs = { seed: 42, numRuns: lawRuns(200) };

function matricesOf({ joints }: Skin): Float64Array {
  return Float64Array.from(joints.flatMap(matrixOf));
}

function skinned(sample: Skin, bindShape?: Float64Array): Vertices {
  const plan = planSkin(packInfluences(sample.influences), sample.points.length, sample.joints.length);
  const pose = makeDualQuaternionPose(sample.joints.length);
  poseDualQuaternions(pose, matricesOf(sample), bindShape);
  const base = packVertices(sample);
  const out = emptyVertices(base);
  skinDualQuaternion(plan, pose, base, out);
  return out;
}

/** Returns whether all signs of quaternions are unambiguous: no dot product near 0. */
function isClear({ joints, influences }: Skin): boolean {
  return influences.every((list) =>
    list.every(([a]) =>
      list.every(([b]) => {
        const p = joints[a].rotation;
        const q = joints[b].rotation;
        return Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]) > 0.05;
      }),
    ),
  );
}

describe('skinDualQuaternion', () => {
  it('matches the algorithm of the paper, after a linear blend of stretches', () => {
    const property = fc.property(fc.oneof(skin('rigid'), skin('stretched')), (sample) => {
      fc.pre(isClear(sample));
      const { joints, influences, points, normals } = sample;
      const out = skinned(sample);
      influences.forEach((list, v) => {
        expectNear(out.positions.slice(3 * v, 3 * v + 3), dualQuaternionPoint(joints, list, points[v]), LAW_F64);
        expectNear(out.normals!.slice(3 * v, 3 * v + 3), dualQuaternionNormal(joints, list, normals[v]), SHORT_BLEND);
      });
    });
    fc.assert(property, runs);
  });

  it('equals linear skinning where every vertex has one joint', () => {
    const property = fc.property(fc.oneof(skin('rigid'), skin('uniform'), skin('stretched')), (sample) => {
      const one = { ...sample, influences: sample.influences.map((list) => [[list[0][0], 1] as const]) };
      const plan = planSkin(packInfluences(one.influences), one.points.length, one.joints.length);
      const matrices = matricesOf(one);
      const normals = new Float64Array(matrices.length);
      normalMatrices(normals, matrices);
      const base = packVertices(one);
      const linear = emptyVertices(base);
      skinLinear(plan, matrices, normals, base, linear);
      const dual = skinned(one);
      expectNear(dual.positions, linear.positions, LAW_F64);
      expectNear(dual.normals!, linear.normals!, LAW_F64);
      expectNear(dual.tangents!, linear.tangents!, LAW_F64);
    });
    fc.assert(property, runs);
  });

  it('is equivariant: a rigid transform of all joints transforms all vertices', () => {
    const property = fc.property(skin('stretched'), skin('rigid'), (sample, { joints: [whole] }) => {
      fc.pre(isClear(sample));
      const joints = sample.joints.map(({ rotation, translation, stretch }) => ({
        rotation: unit(product(whole.rotation, rotation)),
        translation: rotated(whole.rotation, translation).map((x, c) => x + whole.translation[c]),
        stretch,
      }));
      const before = skinned(sample);
      const after = skinned({ ...sample, joints });
      for (let v = 0; v < sample.points.length; v++) {
        const point = [...before.positions.slice(3 * v, 3 * v + 3)];
        const expected = rotated(whole.rotation, point).map((x, c) => x + whole.translation[c]);
        expectNear(after.positions.slice(3 * v, 3 * v + 3), expected, LAW_F64);
      }
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(100) });
  });

  it('does not depend on the sign of quaternions or the order of influences', () => {
    const property = fc.property(skin('rigid'), (sample) => {
      const flipped = sample.joints.map((j, n) => (n % 2 === 0 ? j : { ...j, rotation: j.rotation.map((x) => -x) }));
      const reversed = sample.influences.map((list) => [...list].reverse());
      expect(skinned({ ...sample, joints: flipped, influences: reversed })).toEqual(skinned(sample));
    });
    fc.assert(property, runs);
  });

  it('keeps the distance from the axis in a half-twisted limb, where linear skinning collapses', () => {
    const still = {
      rotation: [0, 0, 0, 1],
      translation: [0, 0, 0],
      stretch: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    };
    const twist = { ...still, rotation: [Math.sin(1.5), 0, 0, Math.cos(1.5)] };
    const sample = {
      joints: [still, twist],
      influences: [[[0, 0.5] as const, [1, 0.5] as const]],
      points: [[2, 1, 0]],
      normals: [[0, 1, 0]],
      tangents: [[1, 0, 0, 1]],
    };
    const [x, y, z] = skinned(sample).positions;
    expect(x).toBeCloseTo(2, 12);
    expect(Math.hypot(y, z)).toBeCloseTo(1, 12);
    expect(Math.atan2(z, y)).toBeCloseTo(1.5, 12);
  });

  it('applies the bind shape first and once, with and without joint stretches', () => {
    const property = fc.property(fc.oneof(skin('rigid'), skin('stretched')), skin('stretched'), (sample, other) => {
      const shape = Float64Array.from(matrixOf(other.joints[0]));
      const plain = skinned({
        ...sample,
        points: sample.points.map((p) =>
          [0, 1, 2].map((r) => shape[r] * p[0] + shape[4 + r] * p[1] + shape[8 + r] * p[2] + shape[12 + r]),
        ),
      });
      expectNear(skinned(sample, shape).positions, plain.positions, LAW_F64 * 100);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(100) });
  });

  it('ignores joints without volume', () => {
    const flat = new Float64Array(32);
    skinningMatrices(
      flat,
      Float64Array.of(...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1], ...new Array(16).fill(0)),
      [0, 1],
      null,
    );
    const pose = makeDualQuaternionPose(2);
    poseDualQuaternions(pose, flat);
    const plan = planSkin(
      packInfluences([
        [
          [0, 0.25],
          [1, 0.75],
        ],
        [[1, 1]],
      ]),
      2,
      2,
    );
    const vertices = { positions: Float64Array.of(1, 1, 1, 2, 2, 2), normals: null, tangents: null };
    skinDualQuaternion(plan, pose, vertices, vertices);
    expectNear(vertices.positions, [5, 6, 7, 2, 2, 2], EXACT_CHAIN);
  });
});
