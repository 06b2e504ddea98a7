/** Looks up bones by node: the inverse of a bone map. */
import { BONE_COUNT } from './bones.ts';

export function mapNodesToBones(boneNodes: ArrayLike<number>, nodeCount: number): Int16Array {
  const bones = new Int16Array(nodeCount).fill(-1);
  for (let bone = 0; bone < BONE_COUNT; bone++) if (boneNodes[bone] >= 0) bones[boneNodes[bone]] = bone;
  return bones;
}

export function boneAtOrAbove(parents: Int32Array, bones: Int16Array, node: number): number {
  let at = node;
  while (at >= 0 && bones[at] < 0) at = parents[at];
  return at < 0 ? -1 : bones[at];
}
