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

/** How the hips travel: `p_t = base + factor · (p_s − origin)`, canonical frame, meters. */
export interface HipsPlan {
  readonly sourceNode: number;
  readonly targetNode: number;
  /** Nodes above the source hips, from its parent to the root. */
  readonly sourceAncestors: Int32Array;
  /** Model position of the source hips (file axes and unit) → p_s − p̄_s, canonical frame, meters: 3×3 column-major and offset. */
  readonly sourceLinear: Float64Array;
  readonly sourceOrigin: Float64Array;
  /** Meters that the target travels per meter of the source. */
  readonly factor: number;
  /** p_t − p̄_t, canonical frame, meters → local translation of the target hips: 3×3 column-major. */
  readonly targetLinear: Float64Array;
  /** Local translation of the target hips in its reference pose. */
  readonly targetBase: Float64Array;
  /** Reference height of the target's hips above its ground, as a length of that local translation. */
  readonly targetHeight: number;
}

/**
 * How a node between or beside bones takes a share of the turn of a bone: `q = left · Δˢ · right`, Δ = before · q_b · after the turn of the
 * driver from its reference, along the axes of the bone above, s the share. A bone below such nodes has this in front of its own
 * rotation, with shares that undo theirs.
 */
export interface SharePlan {
  readonly targetNode: number;
  /** The bone whose local rotation, below nodes at rest, is q_b: its place in the list of bones. */
  readonly driver: number;
  /** The place of this bone in the list of bones; −1 for nodes that are none. */
  readonly bone: number;
  /** xyzw, as are all below. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Unit axis about which only the twist is shared; null: all of the turn. */
  readonly axis: Float64Array | null;
  readonly share: number;
  readonly left: Float64Array;
  readonly right: Float64Array;
  /** How many nodes from below the bone above down to this one turn by shares. */
  readonly depth: number;
}

/** How a bone or a joint that hangs elsewhere in the target's node tree follows the end of its limb, or the bone at its place. */
export interface AttachmentPlan {
  readonly targetNode: number;
  /** Target nodes from the root down to the node of the bone that is followed, that one included. */
  readonly holderChain: Int32Array;
  /** Target nodes from the root down to the parent node, that one included; empty below no node. */
  readonly parentChain: Int32Array;
  /** From the bone that is followed to the node in the reference pose, along the axes of that bone, units of the file. */
  readonly offset: Float64Array;
  /** The rotation of a joint relative to the bone that it follows, xyzw; null for bones: theirs is driven. */
  readonly turn: Float64Array | null;
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
  /** Nodes that are no bones first, then bones; a bone that drives others after these. */
  readonly shares: readonly SharePlan[];
  /** Parents first. */
  readonly attachments: readonly AttachmentPlan[];
  /** Meters the target's hips travel per meter of the source's. */
  readonly hipsScale: number;
  readonly issues: readonly Issue[];
}
