import type { Floats } from '../math/floats.ts';

/** Floats that one node takes in a pose: translation xyz, rotation xyzw, scale xyz. */
export const POSE_STRIDE = 10;

/** Floats that one node takes in a matrix buffer: 4×4, column-major. */
export const MATRIX_STRIDE = 16;

/**
 * A joint tree of any kind: every node from the scene roots down to and below the joints, armatures and rigid nodes
 * included. Space: the file's own (its axes and its unit); the canonical frame belongs to the Humanoid.
 */
export interface Skeleton {
  /** What the file calls it, or a made-up name. */
  readonly name: string;
  /** Node names, may repeat and may be empty. */
  readonly names: readonly string[];
  /** Parent node or −1 for a root; always less than the node's own index. */
  readonly parents: Int32Array;
  /** Rest pose, local: {@link POSE_STRIDE} floats a node. */
  readonly rest: Floats;
  /**
   * Bind pose, model space (the bind-shape factor of the skins taken out, so that it is comparable with the rest pose):
   * {@link MATRIX_STRIDE} floats a node, nodes that no skin binds filled in from their rest. Null when no skin has bind matrices.
   */
  readonly bind: Floats | null;
  /** 1 where a skin has the node as a joint. All 0 for rigs without a skin. */
  readonly joints: Uint8Array;
}
