/** A file with three nodes in a row, of which a skeleton has the first two, and one mesh with two vertices. */
import type { AssetSkeleton } from '../../../src/core/asset/asset.ts';
import type { Geometry, MeshInstance, MeshPrimitive } from '../../../src/core/asset/geometry.ts';
import { tinyHumanoid } from './tiny-humanoid.ts';

/** Three nodes in a row, 1 m apart; the last one has a mesh and is not in the skeleton. */
const { skeleton } = tinyHumanoid(
  { name: 'hips' },
  { name: 'spine', parent: 'hips', at: [0, 1, 0] },
  { name: 'hat', parent: 'spine', at: [0, 1, 0], scale: [2, 2, 2] },
);

/** The skeleton of the first two nodes. */
export const TINY_PART: AssetSkeleton = {
  skeleton: {
    ...skeleton,
    names: skeleton.names.slice(0, 2),
    parents: skeleton.parents.slice(0, 2),
    rest: skeleton.rest.slice(0, 20),
  },
  sourceNodes: Int32Array.of(7, 8),
  declared: null,
};

/** Creates the geometry with one instance of the mesh, whose vertices are at heights 0 and 1.5. */
export function tinyGeometry(instance: MeshInstance, primitive: Partial<MeshPrimitive>): Geometry {
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
