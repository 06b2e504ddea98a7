/** Geometry of a file: meshes, skins, materials, images. It is read only on demand, since retargeting needs only the joints. */
import type { Influences } from '../deform/influences.ts';
import type { MorphTarget as Offsets } from '../deform/morph.ts';
import type { Floats } from '../math/floats.ts';
import type { Issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import type { Material, Texture } from './material.ts';

/** Topology of a primitive, as in glTF. */
export type PrimitiveMode =
  | 'points'
  | 'lines'
  | 'line-loop'
  | 'line-strip'
  | 'triangles'
  | 'triangle-strip'
  | 'triangle-fan';

/**
 * A morph target of a file: offsets at weight 1, as core/deform uses them.
 *
 * @inline
 */
export interface MorphTarget extends Offsets {
  /** Vertices that have offsets; null: all, in order. */
  readonly vertices: Uint32Array | null;
  /** xyz offsets; null without. */
  readonly positions: Float32Array | null;
  /** xyz offsets; null without. */
  readonly normals: Float32Array | null;
  /** xyz offsets, without handedness; null without. */
  readonly tangents: Float32Array | null;
}

/** A part of a mesh with one material, in mesh space (for skinned meshes: the space that the inverse bind matrices start from). */
export interface MeshPrimitive {
  /** Topology. */
  readonly mode: PrimitiveMode;
  /** Number of vertices. */
  readonly vertexCount: number;
  /** Vertex indices; null: the vertices in order. */
  readonly indices: Uint32Array | null;
  /** xyz per vertex. */
  readonly positions: Float32Array;
  /** xyz per vertex, unit length; null without. */
  readonly normals: Float32Array | null;
  /** xyz and handedness per vertex, as in glTF; null without. */
  readonly tangents: Float32Array | null;
  /** Texture coordinate sets, uv per vertex; v points down, as in glTF. */
  readonly uvs: readonly Float32Array[];
  /** Color sets, linear rgba per vertex. */
  readonly colors: readonly Float32Array[];
  /** Joint influences; null for rigid primitives. */
  readonly influences: Influences | null;
  /** Morph targets, parallel to `Mesh.morphNames`. */
  readonly morphTargets: readonly MorphTarget[];
  /** Index in {@link Geometry.materials}; −1 for the default material. */
  readonly material: number;
}

/** A mesh: primitives that share morph targets. */
export interface Mesh {
  /** Name of the mesh. */
  readonly name: string;
  /** Parts with one material each. */
  readonly primitives: readonly MeshPrimitive[];
  /** Name of every morph target; '' where it has none. */
  readonly morphNames: readonly string[];
  /** Default weight of every morph target; an instance may override it. */
  readonly morphWeights: Floats;
}

/** A skin: the joints that deform a mesh. */
export interface Skin {
  /** Name of the skin. */
  readonly name: string;
  /** Joints as nodes of {@link Geometry.nodes}; influences index this list. */
  readonly joints: Int32Array;
  /** Transform from mesh space to joint space in the bind pose: 16 floats per joint, column-major. */
  readonly inverseBindMatrices: Floats;
}

/** A mesh at a node. Several nodes may use the same mesh. */
export interface MeshInstance {
  /** Node of {@link Geometry.nodes}. Its transform does not affect skinned meshes (glTF 3.7.3.3). */
  readonly node: number;
  /** Index in {@link Geometry.meshes}. */
  readonly mesh: number;
  /** Index in {@link Geometry.skins}; −1 for a rigid mesh, which moves with its node. */
  readonly skin: number;
  /** Morph weights that override those of the mesh; null without. */
  readonly morphWeights: Floats | null;
  /** True where players do not show it, itself or with its ancestors: KHR_node_visibility, `Visibility` of FBX, `visibility` of USD. */
  readonly isHidden?: boolean;
}

/** Properties that people gave to a node: `extras` of glTF, user properties of FBX, `userProperties:` of USD. Lists have 2 to 4 numbers. */
export type CustomProperties = Readonly<Record<string, string | number | boolean | readonly number[]>>;

/** All geometry of a file, in axes and units of the file. */
export interface Geometry {
  /** All nodes of the scene, possibly with several roots. `joints` marks the joints of all skins; `bind` is null. */
  readonly nodes: Skeleton;
  /** Index in the file for every node, as in `sourceNodes` of skeletons and clips. */
  readonly sourceNodes: Int32Array;
  /** Custom properties by node; omitted where the format has none. */
  readonly customProperties?: ReadonlyMap<number, CustomProperties>;
  /** All meshes. */
  readonly meshes: readonly Mesh[];
  /** All skins. */
  readonly skins: readonly Skin[];
  /** All uses of meshes at nodes. */
  readonly instances: readonly MeshInstance[];
  /** All materials. */
  readonly materials: readonly Material[];
  /** All textures. */
  readonly textures: readonly Texture[];
}

/** Geometry of a file. */
export interface FileGeometry {
  /** Nodes, meshes, skins, materials and images. */
  readonly geometry: Geometry;
  /** What was left out or repaired. */
  readonly issues: readonly Issue[];
}
