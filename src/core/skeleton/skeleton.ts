import type { Floats } from '../math/floats.ts';

/** Floats per node in a pose: translation xyz, rotation xyzw, scale xyz. */
export const POSE_STRIDE = 10;

/** Offsets of translation, rotation and scale in the {@link POSE_STRIDE} floats of a node. */
export const PATH_OFFSET = { translation: 0, rotation: 3, scale: 7 } as const;

/** Floats per node in a matrix buffer: 4×4, column-major. */
export const MATRIX_STRIDE = 16;

/**
 * A joint tree of any kind: every node from the scene roots down to and below the joints, including armatures and rigid nodes. It is in
 * the file's own space (axes and unit); the canonical frame belongs to the Humanoid.
 */
export interface Skeleton {
  /** Name in the file, or a generated one. */
  readonly name: string;
  /** Node names; they may repeat and may be empty. */
  readonly names: readonly string[];
  /** Parent of each node, −1 for a root; always less than the node's own index. */
  readonly parents: Int32Array;
  /** Rest pose, local: {@link POSE_STRIDE} floats per node. */
  readonly rest: Floats;
  /**
   * Bind pose, model space: {@link MATRIX_STRIDE} floats per node, without the bind-shape factor of the skins, so that it is comparable
   * with the rest pose. Nodes that no skin binds keep their rest transform relative to the parent. Null when no skin has bind matrices.
   */
  readonly bind: Floats | null;
  /** 1 for nodes that are joints of a skin, else 0; all 0 for rigs without a skin. */
  readonly joints: Uint8Array;
}
