import type { BoneName } from '../../../core/humanoid/bones.ts';
import type { HumanoidSkeletonDefinition } from '../extensions/ext-skeleton-humanoid.ts';

/** Requested changes of a document. Node indices are those of the file; matrices have 16 floats, column-major. */
export interface NormalizeRequest {
  /** glTF node per bone in the order of BONES, −1 where absent. */
  readonly bones: Int32Array;
  /** glTF nodes of the skeleton of the bones. */
  readonly sourceNodes: Int32Array;
  /** Bind matrix per node of the skeleton, model space; the rest matrix where no skin binds the node. */
  readonly bind: Float64Array;
  /** glTF nodes that belong to other skeletons as well. */
  readonly shared: ReadonlySet<number>;
  /** G per bone (`canonicalRotations`), xyzw; null: bone axes are kept. */
  readonly axesRotations: Float64Array | null;
  /** Local pose of the skeleton, 10 floats per node, that becomes rest and bind pose, with meshes re-baked; null: both are kept. */
  readonly pose: Float64Array | null;
  /** X: matrix from the space of the file to the new space (rotation, uniform scale, translation); null: the space is kept. */
  readonly space: Float64Array | null;
  /** Y: matrix of the root node where it differs from the space of the scene; null: it does not. */
  readonly rootSpace: Float64Array | null;
  /**
   * Matrix that the root node should have in the new file if `requiresRoot`; otherwise the rotation of the model space
   * (facing +Z, +Y up) in the file.
   */
  readonly modelSpace: Float64Array;
  /** Whether the root node must have the model space as its space; a node is added where none has. */
  readonly requiresRoot: boolean;
}

/** Changes that were made to a document. */
export interface NormalizeResult {
  readonly definition: HumanoidSkeletonDefinition;
  readonly index: number;
  /** Bones with a new node above their old one. */
  readonly wrapped: readonly BoneName[];
  readonly newJoints: readonly BoneName[];
  readonly hasNewRoot: boolean;
  /** Number of channels with rewritten values, and of channels added to keep the old rest pose. */
  readonly channels: { readonly rewritten: number; readonly added: number };
  readonly meshes: number;
}
