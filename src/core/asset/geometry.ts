/** What of a character is seen: meshes, skins, materials, images. Read only where the body is wanted; retargeting needs joints alone. */
import type { Influences } from '../deform/influences.ts';
import type { MorphTarget as Offsets } from '../deform/morph.ts';
import type { Floats } from '../math/floats.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';
import type { Material, Texture } from './material.ts';

export type PrimitiveMode =
  | 'points'
  | 'lines'
  | 'line-loop'
  | 'line-strip'
  | 'triangles'
  | 'triangle-strip'
  | 'triangle-fan';

/** A morph target of a file: offsets at weight 1, as core/deform takes them. */
export interface MorphTarget extends Offsets {
  readonly vertices: Uint32Array | null;
  readonly positions: Float32Array | null;
  readonly normals: Float32Array | null;
  readonly tangents: Float32Array | null;
}

/** A part of a mesh with one material. Space: that of its mesh (glTF: mesh space; of skinned meshes the bind space of the skin). */
export interface MeshPrimitive {
  readonly mode: PrimitiveMode;
  readonly vertexCount: number;
  /** Null: the vertices in order. */
  readonly indices: Uint32Array | null;
  /** xyz. */
  readonly positions: Float32Array;
  /** xyz, unit. */
  readonly normals: Float32Array | null;
  /** xyz and handedness. */
  readonly tangents: Float32Array | null;
  /** uv sets; v runs down as in glTF. */
  readonly uvs: readonly Float32Array[];
  /** rgba sets, linear. */
  readonly colors: readonly Float32Array[];
  /** Which joints of the skin move each vertex; null where none do. */
  readonly influences: Influences | null;
  /** As many as the mesh has names. */
  readonly morphTargets: readonly MorphTarget[];
  /** Index in {@link Geometry.materials}; −1 for the default. */
  readonly material: number;
}

export interface Mesh {
  readonly name: string;
  readonly primitives: readonly MeshPrimitive[];
  /** One a morph target; '' where it has none. */
  readonly morphNames: readonly string[];
  /** Weight of each morph target where a node says nothing else. */
  readonly morphWeights: Floats;
}

export interface Skin {
  readonly name: string;
  /** Nodes of {@link Geometry.nodes}; influences count along this list. */
  readonly joints: Int32Array;
  /** Mesh space to joint space, bind pose: 16 a joint, column-major. */
  readonly inverseBindMatrices: Floats;
}

/** A mesh where it stands; the same mesh may stand at several nodes. */
export interface MeshInstance {
  /** Node of {@link Geometry.nodes}. Its transform does not move skinned meshes (glTF 3.7.3.3). */
  readonly node: number;
  readonly mesh: number;
  /** Index in {@link Geometry.skins}; −1: the mesh is rigid and moves with its node. */
  readonly skin: number;
  /** Weights in place of those of the mesh; null: those. */
  readonly morphWeights: Floats | null;
}

/** Everything that is seen of a file, in the file's own axes and unit. */
export interface Geometry {
  /** All nodes of the scene, one forest; its `joints` are those of all skins, its `bind` is null. */
  readonly nodes: Skeleton;
  /** Index in the file of every node: the same numbers as `sourceNodes` of skeletons and clips. */
  readonly sourceNodes: Int32Array;
  readonly meshes: readonly Mesh[];
  readonly skins: readonly Skin[];
  readonly instances: readonly MeshInstance[];
  readonly materials: readonly Material[];
  readonly textures: readonly Texture[];
}
