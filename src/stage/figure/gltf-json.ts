/** The parts of the JSON of a glTF file that the stage reads. */

/** A node. */
interface GltfNode {
  readonly name?: string;
  readonly children?: readonly number[];
  readonly skin?: number;
  readonly mesh?: number;
  camera?: number;
  readonly extensions?: {
    readonly KHR_node_visibility?: { readonly visible?: boolean };
    [name: string]: unknown;
  };
}

/** A material of VRM 0.x, in `extensions.VRM.materialProperties`. */
interface Vrm0Material {
  readonly shader?: string;
  readonly renderQueue?: number;
  readonly floatProperties?: Readonly<Record<string, number>>;
}

/** A material with MToon of VRM 1.0. */
interface GltfMaterial {
  readonly extensions?: {
    readonly VRMC_materials_mtoon?: {
      readonly transparentWithZWrite?: boolean;
      readonly renderQueueOffsetNumber?: number;
    };
  };
}

/** A part of a buffer. */
interface GltfBufferView {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly extensions?: Record<string, unknown>;
}

/** JSON of a glTF file; all arrays may be absent. */
export interface GltfJson {
  /** Nodes, which tracks and joints refer to. */
  readonly nodes?: readonly GltfNode[];
  /** Skins with the nodes of their joints. */
  readonly skins?: readonly { readonly joints: readonly number[] }[];
  /** Materials. */
  readonly materials?: readonly GltfMaterial[];
  /** Buffers; the first of a GLB has no URI. */
  readonly buffers?: readonly { readonly uri?: string; readonly byteLength: number }[];
  /** Parts of buffers. */
  readonly bufferViews?: readonly GltfBufferView[];
  /** Images. */
  readonly images?: readonly { readonly uri?: string; readonly bufferView?: number; readonly mimeType?: string }[];
  /** Textures. */
  readonly textures?: { source?: number; extensions?: Record<string, { source?: number }> }[];
  /** Names of all extensions. */
  readonly extensionsUsed?: readonly string[];
  /** Extensions of the file. */
  readonly extensions?: { readonly VRM?: { readonly materialProperties?: readonly Vrm0Material[] } };
  /** Names of extensions without which a reader may not show the file. */
  extensionsRequired?: string[];
  /** Clips, which the stage does not show. */
  animations?: unknown[];
}
