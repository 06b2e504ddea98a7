/** Bones by node: a bone map the other way round. */
import { BONE_COUNT } from './bones.ts';

/** The bone of every node, −1 for nodes that are none. `boneNodes`: the node per bone. */
export function bonesOfNodes(boneNodes: ArrayLike<number>, nodeCount: number): Int16Array {
  const bones = new Int16Array(nodeCount).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (boneNodes[bone] >= 0) bones[boneNodes[bone]] = bone;
  return bones;
}

/** The bone of a node, else of the nearest node above it that is one; −1 without, and for node −1. */
export function boneAtOrAbove(parents: Int32Array, bones: Int16Array, node: number): number {
  let at = node;
  while (at >= 0 && bones[at] < 0) at = parents[at];
  return at < 0 ? -1 : bones[at];
}
