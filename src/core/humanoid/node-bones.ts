/** Looks up bones by node: the inverse of a bone map. */
import { BONE_COUNT } from './bones.ts';

/**
 * Inverts a bone map.
 *
 * @param boneNodes Node per bone, −1 where the bone is absent.
 * @param nodeCount Number of nodes of the skeleton.
 * @returns Bone per node, −1 for non-bone nodes.
 */
export function mapNodesToBones(boneNodes: ArrayLike<number>, nodeCount: number): Int16Array {
  const bones = new Int16Array(nodeCount).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (boneNodes[bone] >= 0) bones[boneNodes[bone]] = bone;
  return bones;
}

/**
 * Finds the bone of a node, or of its nearest ancestor that is a bone.
 *
 * @param parents Parent per node, −1 for roots.
 * @param bones Bone per node, −1 for non-bone nodes.
 * @param node The node to start from; −1 gives −1.
 * @returns The bone; −1 without.
 */
export function boneAtOrAbove(parents: Int32Array, bones: Int16Array, node: number): number {
  let at = node;
  while (at >= 0 && bones[at] < 0) at = parents[at];
  return at < 0 ? -1 : bones[at];
}
