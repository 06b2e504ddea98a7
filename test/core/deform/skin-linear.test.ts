import fc from 'fast-check';
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  Vector3,
  Vector4,
} from 'three';
import { describe, expect, it } from 'vitest';
import { skinLinear } from '../../../src/core/deform/skin-linear.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { normalMatrices } from '../../../src/core/deform/skinning-matrices.ts';
import type { Vertices } from '../../../src/core/deform/vertices.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { rotated } from '../../support/reference/plain.ts';
import {
  linearNormal,
  linearPoint,
  linearTangent,
  matrixOf,
  normalized,
  rotatedBy,
} from '../../support/reference/skinning.ts';
import { EXACT_CHAIN, SECOND_OPINION, SHORT_BLEND } from '../../support/tolerances.ts';
import { emptyVertices, packInfluences, packVertices, type Skin, skin } from './skins.ts';

const runs = { seed: 41, numRuns: lawRuns(200) };

function skinned(sample: Skin): Vertices {
  const plan = planSkin(packInfluences(sample.influences), sample.points.length, sample.joints.length);
  const matrices = Float64Array.from(sample.joints.flatMap(matrixOf));
  const normals = new Float64Array(matrices.length);
  const areShared = normalMatrices(normals, matrices);
  const base = packVertices(sample);
  const out = emptyVertices(base);
  skinLinear(plan, matrices, areShared ? null : normals, base, out);
  return out;
}

describe('skinLinear', () => {
  it('matches the sum over single influences, for any joints', () => {
    const property = fc.property(fc.oneof(skin('rigid'), skin('stretched')), (sample) => {
      const { influences, points, normals, tangents } = sample;
      const matrices = sample.joints.map(matrixOf);
      const out = skinned(sample);
      influences.forEach((list, v) => {
        expectNear(out.positions.slice(3 * v, 3 * v + 3), linearPoint(matrices, list, points[v]), EXACT_CHAIN);
        const tangent = linearTangent(matrices, list, tangents[v]);
        expectNear(out.tangents!.slice(4 * v, 4 * v + 4), [...tangent, tangents[v][3]], SHORT_BLEND);
        expectNear(out.normals!.slice(3 * v, 3 * v + 3), linearNormal(matrices, list, normals[v]), SHORT_BLEND);
      });
    });
    fc.assert(property, runs);
  });

  it('transforms a mesh rigidly when all joints have the same transform', () => {
    const property = fc.property(skin('rigid'), (sample) => {
      const one = { ...sample, joints: sample.joints.map(() => sample.joints[0]) };
      const matrix = matrixOf(sample.joints[0]);
      const out = skinned(one);
      sample.points.forEach((point, v) => {
        const expected = rotated(sample.joints[0].rotation, point).map((x, c) => x + matrix[12 + c]);
        expectNear(out.positions.slice(3 * v, 3 * v + 3), expected, EXACT_CHAIN);
        expectNear(
          out.normals!.slice(3 * v, 3 * v + 3),
          rotated(sample.joints[0].rotation, sample.normals[v]),
          EXACT_CHAIN,
        );
      });
    });
    fc.assert(property, runs);
  });

  it('keeps normals perpendicular to the surface for rotations with one scale, without normal matrices', () => {
    const property = fc.property(skin('uniform'), (sample) => {
      const one = { ...sample, joints: sample.joints.map(() => sample.joints[0]) };
      const matrix = matrixOf(sample.joints[0]);
      const matrices = Float64Array.from(one.joints.flatMap(matrixOf));
      expect(normalMatrices(new Float64Array(matrices.length), matrices)).toBe(true);
      const out = skinned(one);
      sample.normals.forEach((normal, v) => {
        const aside = normalized([normal[1], -normal[0], 0]);
        const along = normalized(rotatedBy(matrix, aside));
        const dot = along.reduce((sum, x, c) => sum + x * out.normals![3 * v + c], 0);
        expect(Math.abs(dot)).toBeLessThan(EXACT_CHAIN);
        expect(Math.hypot(...out.normals!.slice(3 * v, 3 * v + 3))).toBeCloseTo(1, 12);
      });
    });
    fc.assert(property, runs);
  });

  it('does not depend on the order of influences', () => {
    const property = fc.property(skin('stretched'), (sample) => {
      const reversed = { ...sample, influences: sample.influences.map((list) => [...list].reverse()) };
      expect(skinned(reversed)).toEqual(skinned(sample));
    });
    fc.assert(property, runs);
  });

  it('can write to its input', () => {
    const property = fc.property(skin('stretched'), (sample) => {
      const plan = planSkin(packInfluences(sample.influences), sample.points.length, sample.joints.length);
      const matrices = Float64Array.from(sample.joints.flatMap(matrixOf));
      const normals = new Float64Array(matrices.length);
      normalMatrices(normals, matrices);
      const vertices = packVertices(sample);
      const out = emptyVertices(vertices);
      skinLinear(plan, matrices, normals, vertices, out);
      skinLinear(plan, matrices, normals, vertices, vertices);
      expect(vertices).toEqual(out);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(50) });
  });

  it('skips missing attributes, and collapses a vertex without weights to the origin, as UsdSkel does', () => {
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: Uint16Array.of(0),
      weights: Float32Array.of(0),
    } as const;
    const plan = planSkin(influences, 1, 1);
    const positions = Float32Array.of(1, 2, 3);
    const matrices = Float64Array.from(new Matrix4().elements);
    skinLinear(
      plan,
      matrices,
      null,
      { positions, normals: null, tangents: null },
      { positions, normals: null, tangents: null },
    );
    expect([...positions]).toEqual([0, 0, 0]);
  });

  it('matches applyBoneTransform of three.js', () => {
    const property = fc.property(skin('stretched'), (sample) => {
      const four = { ...sample, influences: sample.influences.map((list) => list.slice(0, 4)) };
      const count = four.points.length;
      const indices = four.influences.flatMap((list) => [0, 1, 2, 3].map((k) => list[k]?.[0] ?? 0));
      const weights = four.influences.flatMap((list) => [0, 1, 2, 3].map((k) => list[k]?.[1] ?? 0));
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(four.points.flat()), 3));
      geometry.setAttribute('skinIndex', new BufferAttribute(Uint16Array.from(indices), 4));
      geometry.setAttribute('skinWeight', new BufferAttribute(Float32Array.from(weights), 4));
      const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
      const bones = four.joints.map((joint) => {
        const bone = new Bone();
        bone.matrixWorld.fromArray([...matrixOf(joint)]);
        return bone;
      });
      const inverses = bones.map(() => new Matrix4());
      mesh.bind(new Skeleton(bones, inverses), new Matrix4());
      const out = skinned(four);
      const size = Math.max(1, ...out.positions.map(Math.abs));
      for (let v = 0; v < count; v++) {
        const point = mesh.applyBoneTransform(v, new Vector3().fromArray(four.points[v]));
        expectNear(out.positions.slice(3 * v, 3 * v + 3), point.toArray(), SECOND_OPINION * size);
        const [x, y, z] = four.tangents[v];
        // A direction has w = 0; three.js skins it like a point.
        const blended = mesh.applyBoneTransform(v, new Vector4(x, y, z, 0) as unknown as Vector3);
        const length = blended.length();
        if (length < 0.1) continue;
        const tangent = [blended.x, blended.y, blended.z];
        expectNear(out.tangents!.slice(4 * v, 4 * v + 3), normalized(tangent), SECOND_OPINION);
      }
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(60) });
  });
});
