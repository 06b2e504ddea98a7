import type { Clip, Keys } from '../animation/clip.ts';
import type { MotionEvent, MotionEvents } from '../animation/motion-events.ts';
import type { ExpressionTrack, LookAtTrack } from '../face/face-tracks.ts';
import type { DeclaredHumanoid } from '../humanoid/humanoid.ts';
import type { HumanoidClip } from '../humanoid/humanoid-clip.ts';
import type { Floats } from '../math/floats.ts';
import type { Issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';

/** A skeleton of a file. */
export interface AssetSkeleton {
  /** Joints, hierarchy, rest and bind pose. */
  readonly skeleton: Skeleton;
  /** Index in the file (glTF node, BVH joint) for every node of the skeleton; −1 for nodes that are not in the file. */
  readonly sourceNodes: Int32Array;
  /** Bones and reference pose that the file declares (VRM, EXT_skeleton_humanoid …); null without. */
  readonly declared: DeclaredHumanoid | null;
  /**
   * The pose in which no node is rotated from the axes that it was made with (FBX: `Lcl Rotation` 0, pre-rotations alone), local, 10 floats per node. For rigs that
   * were made in a T-pose it is that T-pose, whatever the file's rest pose is. Omitted where the format has no such axes, or where it is the rest pose (BVH).
   */
  readonly zeroPose?: Floats;
  /** True for a canonical rig that stands for the target of humanoid clips (EXT_skeleton_humanoid). It is not in the file: `sourceNodes` is −1 throughout. */
  readonly isCanonicalRig?: boolean;
}

/** Keys for the morph target weights of one node. */
export interface MorphTrack extends Keys {
  /** Index of the node in the file. */
  readonly sourceNode: number;
  /** Name of the node. */
  readonly nodeName: string;
  /** Number of morph targets of the node's mesh: floats per value. */
  readonly targetCount: number;
  /** Name of every target, '' where it has none; omitted where the file has no target names. */
  readonly targetNames?: readonly string[];
  /** Weights: `targetCount` floats per key, three times as many for CUBICSPLINE (in-tangents, weights, out-tangents). */
  readonly values: Floats;
}

/** A clip to write and the nodes of the file that it animates. */
export interface NewAnimation {
  /** Name of the animation; glTF omits an empty one. */
  readonly name: string;
  /** Tracks on nodes. */
  readonly clip: Clip;
  /** Node of the file for each target of the clip: a glTF node, an index in the section `Objects` of an FBX, or as in `Geometry.sourceNodes`. */
  readonly sourceNodes: ArrayLike<number>;
  /** Morph weights; their `sourceNode` is a node of this file. */
  readonly morphs?: readonly MorphTrack[];
  /** Tracks on humanoid bones, which glTF writes as channels of EXT_skeleton_humanoid without a target node; other formats leave them out. */
  readonly humanoid?: HumanoidClip;
  /** What happens in the clip: `extras.anyrig` of glTF, `customData` of USD; FBX leaves it out. */
  readonly events?: MotionEvents;
  /** What people gave the animation: `extras` of glTF; other formats leave it out. */
  readonly extras?: unknown;
}

/** Reads an external file by its percent-decoded path relative to the folder of the asset; rejects for missing files. The callback decides whether symbolic links are followed. */
export type ReadResource = (path: string) => Promise<Uint8Array>;

/** Options of readers of animations. */
export interface ReadClipsOptions {
  /**
   * Selects the animations to read, by name and index; all by default. Other animations are listed by name, without duration and tracks. Reading keys
   * takes most of the time.
   */
  readonly wantsClip?: (name: string, index: number) => boolean;
}

/** One animation of a file, split by skeleton. */
export interface AssetClip {
  /** Name of the animation. */
  readonly name: string;
  /** Seconds: the time of the last key of any channel. */
  readonly duration: number;
  /** One clip per skeleton of the asset, in the same order; without tracks for a skeleton that is not animated. */
  readonly clips: readonly Clip[];
  /** Morph target weights. */
  readonly morphs: readonly MorphTrack[];
  /** Expression weights of a VRM Animation, which do not depend on a mesh; omitted without. */
  readonly expressions?: readonly ExpressionTrack[];
  /** Look-at direction of the eyes; omitted without. */
  readonly lookAt?: LookAtTrack;
  /** What happens in it, in the order of time, where the file says so; omitted without. */
  readonly events?: readonly MotionEvent[];
  /** What people gave the animation: `extras` of glTF, without what clips have of it (events, hips height); omitted without. */
  readonly extras?: unknown;
  /** Number of other channels: on cameras, materials, or nodes outside all skeletons. */
  readonly otherChannels: number;
}

/** The kinds of glTF. */
type GltfKind = 'gltf' | 'vrm0' | 'vrm1' | 'vrma';

/** Checks whether a format is glTF: meters, +Y up. */
export function isGltfKind(format: Asset['format']): format is GltfKind {
  return format === 'gltf' || format === 'vrm0' || format === 'vrm1' || format === 'vrma';
}

/** The content of a file in the data types of the core. All formats read to it and write from it. */
export interface Asset {
  /** The format that was detected. */
  readonly format: GltfKind | 'bvh' | 'fbx' | 'usd' | 'npz' | 'mmd' | 'points';
  /** Meters per unit of length, as the format or the file declares; null when neither does. */
  readonly metersPerUnit: number | null;
  /** Up direction in axes of the file, unit length, as the format or the file declares; null when neither does. */
  readonly up: readonly [number, number, number] | null;
  /** All skeletons of the file. */
  readonly skeletons: readonly AssetSkeleton[];
  /** All animations of the file. */
  readonly clips: readonly AssetClip[];
  /** Problems that were found while reading. */
  readonly issues: readonly Issue[];
}
