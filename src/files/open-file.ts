import type { Asset, ReadResource } from '../core/asset/asset.ts';
import type { Geometry } from '../core/asset/geometry.ts';
import type { StandardRigName } from '../core/humanoid/rigs/rig-names.ts';
import type { BvhTree } from '../formats/bvh/bvh-tree.ts';
import type { FbxTree } from '../formats/fbx/document/fbx-tree.ts';
import type { GltfDocument } from '../formats/gltf/document/document.ts';
import type { MmdModel } from '../formats/mmd/model/mmd-model.ts';
import type { UpAxis } from '../formats/npz/read-npz.ts';
import type { UsdSource } from './adapters/usd/usd-source.ts';

/** What opened files of all formats have in common. */
interface CommonFile {
  /** Name or path as the caller gave it; used in messages, reports and clip names. */
  readonly name: string;
  /** Skeletons and clips, as read. */
  readonly asset: Asset;
  /** Reads files next to this one; null when none can be read. */
  readonly readResource: ReadResource | null;
  /** Most vertices that the instances of its meshes may become together, from {@link OpenOptions}; without it there is no limit. */
  readonly maxVertices?: number;
}

/** An opened glTF: GLB, .gltf, VRM or VRMA. */
export interface GltfFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'gltf';
  /** The lossless document. Jobs edit copies of it. */
  readonly document: GltfDocument;
  /** The standard rig that the file is; omitted for files that were opened. */
  readonly standardRig?: StandardRigName;
}

/** An opened BVH. */
export interface BvhFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'bvh';
  /** Hierarchy and motion as parsed, for clips that are written back into the file. */
  readonly tree: BvhTree;
}

/** An opened FBX. */
export interface FbxFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'fbx';
  /** The file itself, for writing it unchanged. */
  readonly bytes: Uint8Array;
  /** The objects as parsed; meshes are read from it on demand. */
  readonly tree: FbxTree;
  /** Reads how the vertices move with the nodes, without materials. */
  readonly readVertices: () => Geometry;
}

/** An opened USD. */
export interface UsdFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'usd';
  /** The composed stage and the root layer. Jobs edit copies of the layer. */
  readonly source: UsdSource;
}

/** An opened file of NumPy: NPZ, NPY, .smpl or a pickle. */
export interface NpzFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'npz';
}

/** An opened file of MikuMikuDance: a model (PMX, PMD), or a motion (VMD, VPD) on one. */
export interface MmdFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'mmd';
  /** The model; null for a motion without one, which plays on the standard skeleton. */
  readonly model: MmdModel | null;
  /** Reads how the vertices move with the nodes, without materials. */
  readonly readVertices: () => Geometry;
}

/** Opened joint positions: TRC, keypoints in JSON, or a BVH without rotations. */
export interface PointsFile extends CommonFile {
  /** Discriminates the types of files. */
  readonly format: 'points';
}

/** A file that was opened. Jobs leave it unchanged, so that it can be used for several of them. */
export type OpenFile = GltfFile | BvhFile | FbxFile | UsdFile | NpzFile | MmdFile | PointsFile;

/** How to open bytes. */
export interface OpenOptions {
  /** Name or path of the file, for messages, reports and clip names. The format is detected by the content. */
  readonly name?: string;
  /** Reads files that this one references. Without it, a .gltf with external buffers is refused. */
  readonly readResource?: ReadResource;
  /**
   * Most vertices that the instances of the meshes may become together: a small file can show one mesh thousands of times. By default two million, or
   * half the bytes of the file and of those that it references, if that is more.
   */
  readonly maxVertices?: number;
  /** Frames per second of an NPZ, which often does not say them. */
  readonly frameRate?: number;
  /** The axis of an NPZ that points up, where it is not found. */
  readonly up?: UpAxis;
  /** Selects the clips of a glTF, FBX or USD whose keys are read, all by default. Other clips are listed by name only. */
  readonly wantsClip?: (name: string, index: number) => boolean;
  /**
   * The opened PMX or PMD that a VMD or VPD plays on: its proportions, IK and bones that follow others. Without it, the motion plays on the standard skeleton of
   * MMD. Other formats ignore it.
   */
  readonly model?: OpenFile;
}
