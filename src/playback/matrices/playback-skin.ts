import type { AssetSkeleton } from '../../core/asset/asset.ts';
import type { Geometry } from '../../core/asset/geometry.ts';
import type { PlaybackSkin } from './playback-plan.ts';

/**
 * Finds the joints of a skin in a skeleton.
 *
 * @param geometry Geometry of the file.
 * @param skin Index in `geometry.skins`.
 * @param part The skeleton, from the same file.
 * @returns The skin for `planCrowd`; null if a joint is not in the skeleton.
 */
export function playbackSkin(
  { sourceNodes, skins }: Geometry,
  skin: number,
  part: Pick<AssetSkeleton, 'sourceNodes'>,
): PlaybackSkin | null {
  const { joints, inverseBindMatrices } = skins[skin];
  const nodeOf = new Map(Array.from(part.sourceNodes, (file, node) => [file, node]));
  const nodes = Int32Array.from(joints, (joint) => nodeOf.get(sourceNodes[joint]) ?? -1);
  return nodes.includes(-1) ? null : { joints: nodes, inverseBind: inverseBindMatrices };
}
