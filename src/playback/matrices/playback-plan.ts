/** The data of playback from compiled clips straight to matrices, without a local pose. Plain data: it can be posted to a worker. */
import type { HipsPlan } from '../../core/retarget/plan-types.ts';
import type { CompiledClip } from '../compiled-clip.ts';

/** Joints of a skin, for skinning matrices. */
export interface PlaybackSkin {
  /** Node of each joint. */
  readonly joints: ArrayLike<number>;
  /** Inverse bind matrices: 16 floats per joint, column-major; null for identities. */
  readonly inverseBind: ArrayLike<number> | null;
}

/**
 * How model rotations of the nodes that a clip animates become matrices. The linear part of matrix k is `scales[k] · R(Q · after[k])` with Q the model
 * rotation of its driver. Its translation is `x = x(parent) + M(parent) · offset + M · binds[k]`, M the linear parts, with a constant offset, or one that
 * depends on a moving translation.
 */
export interface PlaybackPlan {
  /** Number of nodes of the skeleton that clips animate. */
  readonly nodeCount: number;
  /** Signs by which its poses differ from those of the same rig without negative scales, 10 per node; null where it has none. */
  readonly signs: Int8Array | null;
  /** Nodes of that skeleton whose model rotations are needed, parents first: the steps. */
  readonly stepNodes: Int32Array;
  /** Step of the parent of each step; −1 for a root. */
  readonly stepParents: Int32Array;
  /** Rotation in front of the roots, xyzw: from the axes of the source file to those of the target file. */
  readonly frame: Float64Array;
  /** Matrices that are the result. The others are of nodes above joints of the skin. */
  readonly resultCount: number;
  /** Index of each matrix in the result; from {@link resultCount} on for the others. The lists below have one entry per matrix, parents first. */
  readonly slots: Int32Array;
  /** Index in this list of the matrix of the parent; −1 for a root. */
  readonly parents: Int32Array;
  /** Step that rotates each matrix; −1 for a constant rotation. */
  readonly drivers: Int32Array;
  /** Rotation after that of the driver, xyzw. */
  readonly after: Float64Array;
  /** Uniform scale of the linear part. */
  readonly scales: Float64Array;
  /** From the bind position to the origin of the joint, in axes of the matrix: xyz. All zero for model matrices. */
  readonly binds: Float64Array;
  /** Local translations (or mapped hips positions) to axes of the matrix of the parent: 3×3, column-major. */
  readonly toParents: Float64Array;
  /** Node of each matrix, in its own skeleton. */
  readonly nodes: Int32Array;
  /** Local rest translation of each matrix, xyz; the values of a clip replace them where it animates the same skeleton. */
  readonly translations: Float64Array;
  /** How the hips of the target follow those of the source; null for a plan of one skeleton, and where the hips do not move. */
  readonly hips: HipsPlan | null;
  /** True for a plan that retargets: translations of the clip move only the hips. */
  readonly isRetargeted: boolean;
  /** Local rest scale of each step's node: clips with other scales cannot be played. */
  readonly stepScales: Float64Array;
}

/** A compiled clip prepared for one {@link PlaybackPlan}. Plain data; keys are shared with the compiled clip. */
export interface PlaybackClip {
  /** The compiled clip; without the negative scales of the rig where the plan has signs. */
  readonly compiled: CompiledClip;
  /** Offset of the rotation of each step in a frame; −1 where it is constant. */
  readonly stepKeys: Int32Array;
  /** Local rotation of each step where it is constant: 4 floats per step. */
  readonly stepRotations: Float32Array;
  /** Constant part of the offset of each matrix from its parent: xyz0. */
  readonly offsets: Float32Array;
  /** Matrices whose offset moves. */
  readonly moving: Int32Array;
  /** Their keys: offset in a frame of {@link translationKeys}. */
  readonly movingKeys: Int32Array;
  /** Keys that move offsets: those of the compiled clip, or hips positions. */
  readonly translationKeys: Float32Array;
  /** Floats per frame of {@link translationKeys}. */
  readonly translationStride: number;
  /** Moving part of each moving offset: `linear · key`; 3×4 per moving matrix, three columns of xyz0. */
  readonly movingLinear: Float32Array;
}
