import { describe, expect, test } from 'vitest';
import type { AssetSkeleton } from '../../../src/core/asset/asset.ts';
import type { Geometry, MeshInstance, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { collectBoundVertices } from '../../../src/files/humanoid/bound-vertices.ts';
import { tinyHumanoid } from '../../make/tiny-humanoid.ts';
import { expectNear } from '../../near.ts';

/** Three nodes in a row, 1 m apart; the last one has a mesh and is not in the skeleton. */
const { skeleton } = tinyHumanoid(
  { name: 'hips' },
  { name: 'spine', parent: 'hips', at: [0, 1, 0] },
  { name: 'hat', parent: 'spine', at: [0, 1, 0], scale: [2, 2, 2] },
);

const PART: AssetSkeleton = {
  skeleton: {
    ...skeleton,
    names: skeleton.names.slice(0, 2),
    parents: skeleton.parents.slice(0, 2),
    rest: skeleton.rest.slice(0, 20),
  },
  sourceNodes: Int32Array.of(7, 8),
  declared: null,
};

function geometryOf(instance: MeshInstance, primitive: Partial<MeshPrimitive>): Geometry {
  const plain: MeshPrimitive = {
    mode: 'triangles',
    vertexCount: 2,
    indices: null,
    positions: Float32Array.of(0, 0, 0, 0, 1.5, 0),
    normals: null,
    tangents: null,
    uvs: [],
    colors: [],
    influences: null,
    morphTargets: [],
    material: -1,
  };
  const inverseBindMatrices = Float64Array.of(
    ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1],
  );
  return {
    nodes: skeleton,
    sourceNodes: Int32Array.of(7, 8, 9),
    meshes: [{ name: '', primitives: [{ ...plain, ...primitive }], morphNames: [], morphWeights: new Float32Array() }],
    skins: [{ name: '', joints: Int32Array.of(0, 1), inverseBindMatrices }],
    instances: [instance],
    materials: [],
    textures: [],
  };
}

describe('collectBoundVertices', () => {
  test('puts vertices of a skin in the space of the joint that has the largest weight', () => {
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 2,
      indices: Uint16Array.of(0, 1, 0, 1),
      weights: Float32Array.of(0.6, 0.4, 0.3, 0.7),
    } as const;
    const points = collectBoundVertices(
      geometryOf({ node: 2, mesh: 0, skin: 0, morphWeights: null }, { influences }),
      PART,
    );
    expect(Array.from(points!.nodes)).toEqual([0, 1]);
    expectNear(points!.positions, [0, 0, 0, 0, 0.5, 0], 1e-7);
  });

  test('lets a rigid mesh move with the nearest node above it that is of the skeleton', () => {
    const points = collectBoundVertices(geometryOf({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), PART);
    expect(Array.from(points!.nodes)).toEqual([1, 1]);
    expectNear(points!.positions, [0, 1, 0, 0, 4, 0], 1e-7);
  });

  test('is null where nothing moves with the skeleton', () => {
    const elsewhere = { ...PART, sourceNodes: Int32Array.of(1, 2) };
    expect(
      collectBoundVertices(geometryOf({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), elsewhere),
    ).toBeNull();
  });
});
