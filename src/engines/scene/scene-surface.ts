/** What is known from the vertices of a character of a scene: its contact surface, and evidence for its reference pose. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { collectBoundVertices } from '../../core/asset/collect-bound-vertices.ts';
import { collectSkinPoints } from '../../core/asset/collect-skin-points.ts';
import type { Geometry, Mesh } from '../../core/asset/geometry.ts';
import { type ContactSurface, describeContactSurface } from '../../core/contacts/surface/contact-surface.ts';
import { jointIndices } from '../../core/deform/influences.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { BoundVertices } from '../../core/humanoid/t-pose/bound-vertices.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';

const JOINTS_PER_VERTEX = 4;

/** A mesh of a scene. Nodes are indices of the skeleton of its character. */
export interface SceneMesh {
  /** xyz per vertex, in the space that the inverse bind matrices start from; of a rigid mesh in the space of its node. */
  readonly positions: Float32Array;
  /** Three vertices per triangle; null where each three vertices are one. */
  readonly triangles: ArrayLike<number> | null;
  /** Four joints per vertex, indices of `joints`; null for a rigid mesh. */
  readonly indices: ArrayLike<number> | null;
  /** Weights, parallel to `indices`. */
  readonly weights: ArrayLike<number>;
  /** Node of each joint; −1 outside of the skeleton. */
  readonly joints: Int32Array;
  /** From the positions to the space of each joint: 16 floats per joint, column-major. */
  readonly inverseBind: Float64Array;
  /** Node of a rigid mesh. */
  readonly node: number;
  /** What the engine hides it with: itself, ancestors. */
  readonly hiddenBy: readonly object[];
}

/** Makes a mesh that moves with one node. `hiddenBy`: as in {@link SceneMesh}. */
export function rigidMesh({
  positions,
  triangles,
  node,
  hiddenBy,
}: Pick<SceneMesh, 'positions' | 'triangles' | 'node' | 'hiddenBy'>): SceneMesh {
  const [joints, inverseBind] = [new Int32Array(0), new Float64Array(0)];
  return { positions, triangles, indices: null, weights: [], joints, inverseBind, node, hiddenBy };
}

function toMesh({ positions, triangles, indices, weights }: SceneMesh): Mesh {
  const influences =
    indices === null
      ? null
      : ({
          kind: 'vertex',
          jointsPerVertex: JOINTS_PER_VERTEX,
          indices: jointIndices(indices),
          weights: Float64Array.from(weights),
        } as const);
  const primitive = {
    mode: 'triangles',
    vertexCount: Math.floor(positions.length / 3),
    indices: triangles === null ? null : Uint32Array.from(triangles),
    positions,
    normals: null,
    tangents: null,
    uvs: [],
    colors: [],
    influences,
    morphTargets: [],
    material: -1,
  } as const;
  return { name: '', primitives: [primitive], morphNames: [], morphWeights: new Float32Array(0) };
}

/** Lists the nodes that hide some meshes of a character. One that hides all does not count: a character can be hidden until it is ready. */
function listHiders(meshes: readonly SceneMesh[]): ReadonlySet<object> {
  const counts = new Map<object, number>();
  for (const { hiddenBy } of meshes) for (const node of hiddenBy) counts.set(node, (counts.get(node) ?? 0) + 1);
  return new Set([...counts.keys()].filter((node) => counts.get(node) !== meshes.length));
}

function geometryOf(skeleton: Skeleton, all: readonly SceneMesh[]): readonly [Geometry, AssetSkeleton] {
  const meshes = all.filter(({ node, joints }) => node >= 0 || joints.some((joint) => joint >= 0));
  const hiders = listHiders(meshes);
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  const skinned = meshes.filter(({ indices }) => indices !== null);
  const geometry: Geometry = {
    nodes: skeleton,
    sourceNodes,
    meshes: meshes.map(toMesh),
    skins: skinned.map(({ joints, inverseBind }) => ({ name: '', joints, inverseBindMatrices: inverseBind })),
    instances: meshes.map((mesh, index) => {
      const { node } = mesh;
      const isHidden = mesh.hiddenBy.some((object) => hiders.has(object));
      return { node: Math.max(0, node), mesh: index, skin: skinned.indexOf(mesh), morphWeights: null, isHidden };
    }),
    materials: [],
    textures: [],
  };
  return [geometry, { skeleton, sourceNodes, declared: null }];
}

/** Describes the contact surface of a character of a scene, at the first call. */
export function lazySurface(humanoid: Humanoid, readMeshes: () => readonly SceneMesh[]): () => ContactSurface {
  let surface: ContactSurface | null = null;
  return () => {
    surface ??= describeContactSurface(humanoid, collectSkinPoints(...geometryOf(humanoid.skeleton, readMeshes())));
    return surface;
  };
}

/**
 * Collects the vertices that move with a skeleton of a scene, for the estimator of the reference pose. Returns the vertices; null where no mesh
 * moves with the skeleton.
 */
export function bindSceneVertices(skeleton: Skeleton, meshes: readonly SceneMesh[]): BoundVertices | null {
  return collectBoundVertices(...geometryOf(skeleton, meshes));
}
