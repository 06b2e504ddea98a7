import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { bindModelPose, restModelPose } from '../../core/humanoid/t-pose/model-pose.ts';

/** A node of a skeleton. */
export interface NodeReport {
  /** Index in the file, as bone maps use it; −1 for nodes that are not in the file. */
  readonly node: number;
  /** Name in the file; it may be empty. */
  readonly name: string;
  /** Index of its parent in the file; −1 for a root. */
  readonly parent: number;
  /** Number of its ancestors. */
  readonly depth: number;
  /** Whether it is a joint of a skin. */
  readonly joint: boolean;
  /** Position in the bind pose, else in the rest pose: model space, units of the file. */
  readonly position: readonly [number, number, number];
}

const DECIMALS = 1e4;

export function reportNodes({ skeleton, sourceNodes }: AssetSkeleton): NodeReport[] {
  const { parents, names, joints } = skeleton;
  const { positions } = bindModelPose(skeleton) ?? restModelPose(skeleton);
  const children = Array.from(parents, (): number[] => []);
  const roots: number[] = [];
  for (const [node, parent] of parents.entries()) (parent < 0 ? roots : children[parent]).push(node);
  const round = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
  const depths = new Int32Array(parents.length);
  const listed: NodeReport[] = [];
  const stack = roots.reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const parent = parents[node];
    depths[node] = parent < 0 ? 0 : depths[parent] + 1;
    listed.push({
      node: sourceNodes[node],
      name: names[node],
      parent: parent < 0 ? -1 : sourceNodes[parent],
      depth: depths[node],
      joint: joints[node] === 1,
      position: [round(positions[3 * node]), round(positions[3 * node + 1]), round(positions[3 * node + 2])],
    });
    for (const child of children[node].reverse()) stack.push(child);
  }
  return listed;
}

/** Deeper nodes are not indented further: the spaces of 100,000 levels would take gigabytes. */
export const DEEPEST_INDENT = 64;

/** Writes nodes as an indented tree: index, name and position of each. */
export function nodeTree(nodes: readonly NodeReport[]): string[] {
  return nodes.map(({ node, name, depth, position }) => {
    const label = name.trim() === '' ? '(no name)' : name;
    return `${' '.repeat(Math.min(depth, DEEPEST_INDENT))}${node} ${label} at ${position.join(', ')}`;
  });
}
