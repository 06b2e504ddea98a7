import type { Clip, Interpolation } from '../animation/clip.ts';
import type { ExpressionTrack, LookAtTrack } from '../face/face-tracks.ts';
import type { DeclaredHumanoid } from '../humanoid/humanoid.ts';
import type { Floats } from '../math/floats.ts';
import type { Issue } from '../report/issue.ts';
import type { Skeleton } from '../skeleton/skeleton.ts';

/** A skeleton as it stands in a file. */
export interface AssetSkeleton {
  readonly skeleton: Skeleton;
  /** Index in the file (glTF node, BVH joint) of every node of the skeleton; −1 for nodes that are not in the file. */
  readonly sourceNodes: Int32Array;
  /** What the format itself says about bones and pose; null when it says nothing. */
  readonly declared: DeclaredHumanoid | null;
  /** Not a body of the file, but the bones that its humanoid clips (EXT_skeleton_humanoid) are for; its nodes have −1 in `sourceNodes`. */
  readonly isCanonicalRig?: boolean;
}

/** Keys of the morph target weights of one node. */
export interface MorphTrack {
  /** Index of the node in the file. */
  readonly sourceNode: number;
  readonly nodeName: string;
  /** Morph targets of the node's mesh; a value is this many floats. */
  readonly targetCount: number;
  /** Name of every target, '' where it has none; missing where the file names none. */
  readonly targetNames?: readonly string[];
  readonly interpolation: Interpolation;
  readonly times: Floats;
  readonly values: Floats;
}

/** One animation of a file, split by skeleton. */
export interface AssetClip {
  readonly name: string;
  /** Seconds: the last key of any channel. */
  readonly duration: number;
  /** One clip per skeleton of the asset, in the same order; without tracks where the animation leaves a skeleton alone. */
  readonly clips: readonly Clip[];
  readonly morphs: readonly MorphTrack[];
  /** Weights of expressions that belong to no mesh, as a VRM Animation has them; missing where there are none. */
  readonly expressions?: readonly ExpressionTrack[];
  /** Where the eyes look; missing where the file does not say. */
  readonly lookAt?: LookAtTrack;
  /** Channels that animate something else: cameras, materials, nodes of no skeleton. */
  readonly otherChannels: number;
}

/** The hub of all formats: what a file contains, in the data shapes of the core. */
export interface Asset {
  readonly format: 'gltf' | 'vrm0' | 'vrm1' | 'vrma' | 'bvh' | 'fbx' | 'usd';
  /** Meters of one unit of length, as the format or the file says; null when neither does. */
  readonly metersPerUnit: number | null;
  /** The direction that the format or the file says is up, unit length, the file's axes; null when neither does. */
  readonly up: readonly [number, number, number] | null;
  readonly skeletons: readonly AssetSkeleton[];
  readonly clips: readonly AssetClip[];
  readonly issues: readonly Issue[];
}
