/** The joints of a skeleton, as the stage draws them. */
import { type AssetSkeleton, BONES, type Humanoid } from 'anyrig';
import type { FigureJoint } from './protocol.ts';

/**
 * Lists the joints of a skeleton that are nodes of the file.
 *
 * @param humanoid Its humanoid; null without.
 */
export function figureJoints({ skeleton, sourceNodes }: AssetSkeleton, humanoid: Humanoid | null): FigureJoint[] {
  const count = skeleton.parents.length;
  const bones = new Map<number, number>();
  humanoid?.map.nodes.forEach((node, bone) => {
    if (node >= 0) bones.set(node, bone);
  });
  const hasJoints = skeleton.joints.some((joint) => joint !== 0);
  const index = new Int32Array(count).fill(-1);
  const joints: FigureJoint[] = [];
  for (let node = 0; node < count; node++) {
    const isShown = bones.has(node) || !hasJoints || skeleton.joints[node] !== 0;
    const parent = skeleton.parents[node];
    // Nodes that are not shown pass on their parent.
    const above = parent < 0 ? -1 : index[parent];
    index[node] = above;
    if (!isShown || sourceNodes[node] < 0) continue;
    index[node] = joints.length;
    const bone = bones.get(node);
    joints.push({
      node: sourceNodes[node],
      parent: above,
      name: skeleton.names[node],
      bone: bone === undefined ? null : BONES[bone],
    });
  }
  return joints;
}
