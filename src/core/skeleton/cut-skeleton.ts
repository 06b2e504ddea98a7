import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** Bind matrices of nodes. */
export interface BindMatrices {
  /** 16 floats per node, model space. Unbound nodes keep their rest pose relative to their parent. */
  readonly matrices: Float64Array;
  /** 1 for nodes whose bind matrix the file has; a skeleton without any has no bind pose. */
  readonly bound: Uint8Array;
}

/** The nodes of a file, parents before children, with the bind matrices that it has. */
interface Forest extends BindMatrices {
  readonly parents: Int32Array;
  /** Local rest pose, 10 floats per node. */
  readonly rest: Float64Array;
  readonly isJoint: Uint8Array;
}

/** Makes a skeleton of some nodes of a file. Returns it with the index in it of each of these nodes. */
export function cutSkeleton(
  { parents, rest, isJoint, matrices, bound }: Forest,
  nodes: Int32Array,
  name: string,
  nameOf: (node: number) => string,
): { readonly skeleton: Skeleton; readonly indexOf: ReadonlyMap<number, number> } {
  const indexOf = new Map<number, number>();
  const ownRest = new Float64Array(nodes.length * POSE_STRIDE);
  const bind = nodes.some((node) => bound[node] === 1) ? new Float64Array(nodes.length * MATRIX_STRIDE) : null;
  for (const [index, node] of nodes.entries()) {
    indexOf.set(node, index);
    ownRest.set(rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE), index * POSE_STRIDE);
    bind?.set(matrices.subarray(node * MATRIX_STRIDE, (node + 1) * MATRIX_STRIDE), index * MATRIX_STRIDE);
  }
  const skeleton: Skeleton = {
    name,
    names: Array.from(nodes, nameOf),
    parents: nodes.map((node) => indexOf.get(parents[node]) ?? -1),
    rest: ownRest,
    bind,
    joints: Uint8Array.from(nodes, (node) => isJoint[node]),
  };
  return { skeleton, indexOf };
}
