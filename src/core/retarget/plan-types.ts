/** The result of {@link planRetarget}. Plain data: it can be posted to a worker, serialized and kept. */
import type { TrackPath } from '../animation/clip.ts';
import type { Issue } from '../report/issue.ts';

/** Maps the local translation of one bone: `t_t = base + linear · (t_s − origin)`. */
export interface TranslationPlan {
  /** Node of the source. */
  readonly sourceNode: number;
  /** Node of the target. */
  readonly targetNode: number;
  /** 3×3, column-major. */
  readonly linear: Float64Array;
  /** Rest translation of the source node, local, units of the source file. */
  readonly origin: Float64Array;
  /** Rest translation of the target node, local, units of the target file. */
  readonly base: Float64Array;
}

/** Maps the local scale of one bone, relative to the rest scales of both nodes. */
export interface ScalePlan {
  /** Node of the source. */
  readonly sourceNode: number;
  /** Node of the target. */
  readonly targetNode: number;
  /** Rotates vectors from the local axes of the target bone to those of the source bone, both in their reference pose; xyzw. */
  readonly toSourceAxes: Float64Array;
  /** Rest scale of the source node, xyz. */
  readonly sourceRest: Float64Array;
  /** Rest scale of the target node, xyz. */
  readonly targetRest: Float64Array;
}

/**
 * A vector that rotates with a bone of the source: `F · W_s(b) · vector`.
 *
 * @inline
 */
export interface HipsArm {
  /** Source nodes from that of the bone up to the root. */
  readonly nodes: Int32Array;
  /** The vector along the axes of the bone, meters of the target. */
  readonly vector: Float64Array;
  /** The same vector in the reference pose: canonical frame, meters of the target. */
  readonly reference: Float64Array;
}

/**
 * Maps the pelvis (the middle of both hip joints): `p_t = p̄_t + factor · (p_s − p̄_s)` in the canonical frame, meters, and moves the node
 * that carries the target there.
 */
export interface HipsPlan {
  /** Hips node of the source. */
  readonly sourceNode: number;
  /** Target node that is translated: the hips, or the topmost bone above them. */
  readonly targetNode: number;
  /** Source nodes from each joint whose middle is the pelvis (both upper legs) up to below their common ancestor. */
  readonly sourceJoints: readonly Int32Array[];
  /** Source nodes from that common ancestor, usually the hips, up to the root. */
  readonly sourceAncestors: Int32Array;
  /** F of the source, xyzw. */
  readonly frame: Float64Array;
  /** Model position of the source pelvis (axes and units of the file) → p_s in the canonical frame, meters; 3×3, column-major. */
  readonly sourceLinear: Float64Array;
  /** p̄_s: the source pelvis in the reference pose, canonical frame, meters. */
  readonly sourceOrigin: Float64Array;
  /** Meters of the target per meter of the source. */
  readonly factor: number;
  /** Their sum is the vector from the target pelvis to the translated node. Empty where no rotation moves one against the other. */
  readonly arms: readonly HipsArm[];
  /** Offset of the translated node from its reference position (canonical frame, meters) → offset of its local translation; 3×3, column-major. */
  readonly targetLinear: Float64Array;
  /** Local translation of that node in the reference pose. */
  readonly targetBase: Float64Array;
  /** Reference height of the target pelvis above the ground, as a length of that local translation. */
  readonly targetHeight: number;
}

/**
 * Distributes the rotation of a driving bone to a twist joint: `q = left · Δᶠ · right` with `Δ = before · q_d · after`, the rotation of
 * the driver from its reference, in the axes of the bone above the joint, and f the fraction. A mapped bone below twist joints has such a
 * plan too: with a negative fraction, in front of its own rotation, it cancels the rotation of these joints.
 */
export interface TwistPlan {
  /** Node of the target that is rotated. */
  readonly targetNode: number;
  /** Index in {@link RetargetPlan.bones} of the bone whose local rotation is q_d. */
  readonly driver: number;
  /** Index in {@link RetargetPlan.bones} of the bone of this node; −1 for a node without a bone. */
  readonly bone: number;
  /** Left factor of Δ, xyzw. */
  readonly before: Float64Array;
  /** Right factor of Δ, xyzw. */
  readonly after: Float64Array;
  /** Unit axis of the twist; null distributes the whole rotation Δ. */
  readonly axis: Float64Array | null;
  /** Fraction f of Δ, −1 to 1. */
  readonly fraction: number;
  /** rel(p)⁻¹, xyzw: rel is the rest rotation of a node relative to the bone above, p the parent node. */
  readonly left: Float64Array;
  /** rel(n), xyzw, n the node; for a bone rel(p). */
  readonly right: Float64Array;
  /** Number of twist joints from the bone above down to this node, the node included. */
  readonly depth: number;
}

/**
 * A part of the way from one bone to another.
 *
 * @inline
 */
export interface DetachedSegment {
  /** Target nodes from the root down to the bone that the part rotates with. */
  readonly boneChain: Int32Array;
  /** The part along the axes of that bone, units of the file. */
  readonly offset: Float64Array;
}

/** Constrains a node to a bone that is not its ancestor: a bone of a split hierarchy, or a skin joint outside the bone hierarchy. */
export interface DetachedJointPlan {
  /** Node of the target that is constrained. */
  readonly targetNode: number;
  /** Target nodes from the root down to the node of the bone it is constrained to, that node included. */
  readonly boneChain: Int32Array;
  /** Target nodes from the root down to the parent of the node, that parent included; empty for a root. */
  readonly parentChain: Int32Array;
  /** Offset of the node from the bone in the reference pose, along the axes of the bone, units of the file. */
  readonly offset: Float64Array;
  /** Of bones that are above their own parent bone: the way from the bone at the end of `boneChain` through other bones. Empty for all others. */
  readonly segments: readonly DetachedSegment[];
  /** Rotation of the joint relative to the bone, xyzw; null for bones, which are rotated as all others. */
  readonly rotation: Float64Array | null;
  /** Size of the skeleton in the unit of the translation of the node: what the tolerance between its keys is relative to. */
  readonly size: number;
}

/** A constant value of one channel of a target node: that of the base pose, where the rest pose differs from it. */
export interface ConstantChannel {
  /** Node of the target. */
  readonly targetNode: number;
  /** Animated property. */
  readonly path: TrackPath;
  /** Local value: 3 floats, or 4 (xyzw) for a rotation. */
  readonly value: Float64Array;
}

/**
 * How one humanoid follows another: everything that {@link retargetClip} and {@link retargetPose} need. It is planned for both rigs without their negative
 * scales; poses and clips are converted by the signs.
 */
export interface RetargetPlan {
  /** Parent of every source node, −1 for a root. */
  readonly sourceParents: Int32Array;
  /** Signs by which poses of the source differ from those of the same rig without negative scales, 10 per node; null where it has none. */
  readonly sourceSigns: Int8Array | null;
  /** The same for the target. */
  readonly targetSigns: Int8Array | null;
  /** Rest pose of the source without negative scales, local, 10 floats per node: the values of nodes without a track. */
  readonly sourceRest: Float64Array;
  /** Rest pose of the target as in its file, without negative scales, local, 10 floats per node. */
  readonly targetRest: Float64Array;
  /** Bones of the target, parents first. The lists below have one entry per bone of this list. */
  readonly bones: Int32Array;
  /** Target node of each bone. */
  readonly targetNodes: Int32Array;
  /** Index in {@link bones} of the nearest bone above in the node tree of the target; −1 without one. */
  readonly above: Int32Array;
  /** Source bone that drives each bone: the same bone, else that of the nearest finger, else the nearest ancestor bone that the source has. */
  readonly drivers: Int32Array;
  /** Entries of {@link pathNodes} of bone k: from `pathStart[k]` to before `pathStart[k + 1]`. */
  readonly pathStart: Int32Array;
  /** Source nodes whose local rotations are multiplied, in the order of the product. */
  readonly pathNodes: Int32Array;
  /** 1 where the local rotation is inverted. */
  readonly pathInverted: Uint8Array;
  /** Constant left factor of each bone, xyzw. */
  readonly left: Float64Array;
  /** Constant right factor of each bone, xyzw. */
  readonly right: Float64Array;
  /**
   * Of bones with one source node on their path: the map `q ↦ left · q · right` (or `left · q⁻¹ · right`) of its keys. 4×4 per bone, column-major; zeros for
   * the others.
   */
  readonly keyMatrices: Float64Array;
  /** Rotations are retargeted. */
  readonly rotation: boolean;
  /** Translation of the pelvis; null leaves it where it is. */
  readonly hips: HipsPlan | null;
  /** Translations of the other bones; empty unless requested. */
  readonly translations: readonly TranslationPlan[];
  /** Scales of the bones; empty unless requested. */
  readonly scales: readonly ScalePlan[];
  /** Values of the base pose that differ from the rest pose. */
  readonly constantChannels: readonly ConstantChannel[];
  /** Nodes without a bone first, then bones; bones that drive other entries come last. */
  readonly twists: readonly TwistPlan[];
  /** Detached bones and skin joints, parents first. */
  readonly detachedJoints: readonly DetachedJointPlan[];
  /** Meters that the target pelvis travels per meter of the source pelvis. */
  readonly hipsScale: number;
  /** What the plan could not map directly: missing bones, detached joints, hips that cannot move. */
  readonly issues: readonly Issue[];
}
