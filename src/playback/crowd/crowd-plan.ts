/**
 * The data of crowds: characters of different proportions that play clips of one source. The world delta D(b) of a bone does not depend on the target, so
 * one table of deltas serves all characters that show the same moment of a clip. What differs is one translation per bone: the transform of bone b from
 * the reference pose is `v ↦ D(b) · v + x(b)` with `x(b) = x(a) + (D(a) − D(b)) · p̄(b)`, a the bone above and p̄ the joint in the reference pose. All in
 * the canonical frame (facing +Z, up +Y), meters, with the ground at 0. Plain data.
 */
import { BONE_COUNT } from '../../core/humanoid/bones.ts';
import type { PlaybackPlan } from '../matrices/playback-plan.ts';

/** Transforms per character: one per bone in the order of BONES, then the identity, for joints above the hips. */
export const CROWD_ROWS: number = BONE_COUNT + 1;
/** Row of joints above the hips. */
export const STILL_ROW: number = BONE_COUNT;
/** Floats per translation: x, y, z, 1. */
export const CROWD_TRANSLATION_STRIDE = 4;
/** Floats per 3×4 matrix: three rows of four. */
export const CROWD_MATRIX_STRIDE = 12;

/** The bones of targets that have the same bones with the same parents, and the same deltas. */
export interface CrowdTopology {
  /** Index in {@link CrowdPlan.sources}. */
  readonly source: number;
  /** Bones, parents first; the first one is the hips. */
  readonly bones: Int32Array;
  /** Bone above each bone; −1 for the hips. */
  readonly parents: Int32Array;
}

/** A character model of a crowd. */
export interface CrowdTarget {
  /** Index in {@link CrowdPlan.topologies}. */
  readonly topology: number;
  /** Joint of each bone of the topology in the reference pose: xyz, canonical frame, meters. */
  readonly positions: Float32Array;
  /** Meters that the hips travel per meter of the source. */
  readonly hipsScale: number;
  /** Row of the transform of each joint of the skin. */
  readonly jointRows: Uint8Array;
  /** From mesh space to the reference pose in the canonical frame, meters, for each joint: 16 floats, column-major. */
  readonly bindMatrices: Float32Array;
  /** The one bind matrix if it is the same for all joints: the skin was bound in the reference pose. Null otherwise. */
  readonly bindMatrix: Float32Array | null;
}

/** How a crowd follows one source. */
export interface CrowdPlan {
  /** Plans that compute the deltas of all bones, one per reference pose of the source; nearly always one. */
  readonly sources: readonly PlaybackPlan[];
  /** Bone hierarchies of the targets. */
  readonly topologies: readonly CrowdTopology[];
  /** The character models. */
  readonly targets: readonly CrowdTarget[];
}
