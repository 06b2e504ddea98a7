import { describe, expect, it } from 'vitest';
import { changeGeometrySpace } from '../../../src/core/asset/geometry-space.ts';
import { changeSpace, type SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import { between, makeRandom, type Random, randomRotation } from '../../../src/demo/random.ts';
import { law } from '../../laws/law.ts';
import { randomGeometry } from '../../support/make/random-geometry.ts';
import { STORED_VERTICES } from '../../support/tolerances.ts';
import { seenError } from './seen.ts';

function anyChange(random: Random): SpaceChange {
  return { rotation: randomRotation(random), scale: between(random, 0.01, 3) };
}

const Z_UP_CM: SpaceChange = { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], scale: 0.01 };

describe('changeGeometrySpace', () => {
  law(
    'transforms the rendered result by the change: rigid, skinned and morphed',
    STORED_VERTICES,
    (random) => {
      const geometry = randomGeometry(random);
      const change = anyChange(random);
      return seenError(geometry, changeGeometrySpace(geometry, change), change);
    },
    300,
  );

  law(
    'transforms the rendered result in every pose',
    STORED_VERTICES,
    (random) => {
      const geometry = randomGeometry(random);
      const change = anyChange(random);
      const pose = randomGeometry(random).nodes.rest;
      const changedPose = changeSpace({ ...geometry.nodes, rest: pose }, change).rest;
      return seenError(geometry, changeGeometrySpace(geometry, change), change, [pose, changedPose]);
    },
    300,
  );

  it('rotates stored vertices of skinned meshes, and keeps the axes of rigid meshes', () => {
    const geometry = randomGeometry(makeRandom(4));
    const [bound] = geometry.meshes[0].primitives;
    const [rigid] = geometry.meshes[2].primitives;
    const { meshes } = changeGeometrySpace({ ...geometry, instances: geometry.instances.slice(0, 3) }, Z_UP_CM);
    const [x, y, z] = bound.positions;
    expect(meshes).toHaveLength(3);
    expect(meshes[0].primitives[0].positions[0]).toBeCloseTo(0.01 * x, 8);
    expect(meshes[0].primitives[0].positions[1]).toBeCloseTo(0.01 * z, 8);
    expect(meshes[0].primitives[0].positions[2]).toBeCloseTo(-0.01 * y, 8);
    expect(meshes[2].primitives[0].positions[1]).toBeCloseTo(0.01 * rigid.positions[1], 8);
    expect(meshes[2].primitives[0].normals).toBe(rigid.normals);
  });

  it('splits a mesh that is used skinned and rigid', () => {
    const geometry = randomGeometry(makeRandom(5));
    const instances = [
      { node: 5, mesh: 0, skin: -1, morphWeights: null },
      { node: 6, mesh: 0, skin: 0, morphWeights: null },
      { node: 6, mesh: 0, skin: 1, morphWeights: null },
    ];
    const changed = changeGeometrySpace({ ...geometry, instances }, Z_UP_CM);
    expect(changed.instances.map(({ mesh }) => mesh)).toEqual([0, 3, 3]);
    expect(changed.meshes).toHaveLength(4);
  });

  it('does not modify its input', () => {
    const geometry = randomGeometry(makeRandom(6));
    const copy = structuredClone(geometry);
    changeGeometrySpace(geometry, Z_UP_CM);
    expect(geometry).toEqual(copy);
  });

  it('throws for an invalid change', () => {
    const geometry = randomGeometry(makeRandom(7));
    expect(() => changeGeometrySpace(geometry, { rotation: [0, 0, 0, 1], scale: 0 })).toThrow(RangeError);
  });
});
