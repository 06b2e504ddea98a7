/** What planning decides about a pair of humanoids. Plain data: can be posted to a worker, printed, kept. */
import type { TrackPath } from '../animation/clip.ts';
import type { Issue } from '../report/issue.ts';

/** How the translation of a bone follows its source: `t_t = base + linear · (t_s − origin)` of the two local translations. */
export interface TranslationPlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** 3×3, column-major. */
  readonly linear: Float64Array;
  readonly origin: Float64Array;
  readonly base: Float64Array;
}

/** How the scale of a bone follows its source. */
export interface ScalePlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** Turns axes of the target bone into axes of the source bone, in the reference pose; xyzw. */
  readonly turn: Float64Array;
  readonly sourceRest: Float64Array;
  readonly targetRest: Float64Array;
}

/** How the hips travel: `p_t = base + factor · (p_s − origin)`, canonical frame, metres. */
export interface HipsPlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** Nodes above the source hips, from its parent to the root. */
  readonly sourceAncestors: Int32Array;
  /** Model position of the source hips (file axes and unit) → p_s − p̄_s, canonical frame, metres: 3×3 column-major and offset. */
  readonly sourceLinear: Float64Array;
  readonly sourceOrigin: Float64Array;
  /** Metres that the target travels per metre of the source. */
  readonly factor: number;
  /** p_t − p̄_t, canonical frame, metres → local translation of the target hips: 3×3 column-major. */
  readonly targetLinear: Float64Array;
  /** Local translation of the target hips in its reference pose. */
  readonly targetBase: Float64Array;
  /** Reference height of the target's hips above its ground, as a length of that local translation. */
  readonly targetHeight: number;
}

/** How a bone that hangs elsewhere in the target's node tree follows the end of its limb. */
export interface AttachmentPlan {
  readonly targetNode: number;
  /** Target nodes from the root down to the node of the parent bone, that one included. */
  readonly holderChain: Int32Array;
  /** Target nodes from the root down to the parent node, that one included; empty below no node. */
  readonly parentChain: Int32Array;
  /** From the parent bone to the bone in the reference pose, along the axes of the parent bone, units of the file. */
  readonly offset: Float64Array;
}

/** A value that a node of the target keeps, because the reference pose was taken with it. */
export interface HeldValue {
  readonly targetNode: number;
  readonly path: TrackPath;
  readonly value: Float64Array;
}

/** Everything that was decided about a pair of humanoids. */
export interface RetargetPlan {
  readonly sourceParents: Int32Array;
  /** Rest pose of the source, local, 10 floats a node: the value of every node that a clip leaves alone. */
  readonly sourceRest: Float64Array;
  /** Rest pose of the target as it is in its file, local, 10 floats a node. */
  readonly targetRest: Float64Array;
  /** Bones of the target, parents first. Every list below has one entry per bone of this one. */
  readonly bones: Int32Array;
  readonly targetNodes: Int32Array;
  /** Index, in this list, of the bone above on the target's node tree; −1 where there is none. */
  readonly above: Int32Array;
  /** The source bone whose world delta the bone shows: itself, or the nearest bone above it that the source has. */
  readonly drivers: Int32Array;
  /** Entries of {@link pathNodes} of bone k: pathStart[k] … pathStart[k + 1]. */
  readonly pathStart: Int32Array;
  /** Source nodes whose local rotations are multiplied, in the order of the product. */
  readonly pathNodes: Int32Array;
  /** 1 where the local rotation enters inverted. */
  readonly pathInverted: Uint8Array;
  /** Constant left factor, xyzw a bone. */
  readonly left: Float64Array;
  /** Constant right factor, xyzw a bone. */
  readonly right: Float64Array;
  readonly rotation: boolean;
  readonly hips: HipsPlan | null;
  readonly translations: readonly TranslationPlan[];
  readonly scales: readonly ScalePlan[];
  readonly held: readonly HeldValue[];
  /** Parents first. */
  readonly attachments: readonly AttachmentPlan[];
  /** Metres the target's hips travel per metre of the source's. */
  readonly hipsScale: number;
  readonly issues: readonly Issue[];
}
