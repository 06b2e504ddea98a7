import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../humanoid/node-bones.ts';

/**
 * Finds the bone whose translation moves the hips: the hips themselves, or the topmost bone above them where the node tree is rooted elsewhere, at
 * the chest for example.
 */
export function carrierBone({ skeleton, map }: Humanoid): number {
  const boneOfNode = mapNodesToBones(map.nodes, skeleton.parents.length);
  let carrier: number = BONE.hips;
  for (let above = carrier; above >= 0; ) {
    carrier = above;
    above = boneAtOrAbove(skeleton.parents, boneOfNode, skeleton.parents[map.nodes[carrier]]);
  }
  return carrier;
}
