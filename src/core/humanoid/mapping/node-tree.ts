/** Node hierarchies with constant-time ancestor tests. */
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { depths } from '../../skeleton/topology.ts';

/**
 * A node hierarchy and its depth-first order. The subtree of `node` occupies the depth-first indices from
 * `starts[node]` to `ends[node]`, end exclusive.
 */
export interface NodeTree {
  /** Parent of each node, −1 for roots; parents come first. */
  readonly parents: Int32Array;
  readonly depths: Int32Array;
  /** Depth-first index of each node. */
  readonly starts: Int32Array;
  /** Depth-first index after the last descendant of each node. */
  readonly ends: Int32Array;
}

export function createNodeTree(parents: Int32Array): NodeTree {
  const count = parents.length;
  const sizes = new Int32Array(count).fill(1);
  for (let node = count - 1; node >= 0; node--) if (parents[node] >= 0) sizes[parents[node]] += sizes[node];
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  /** Depth-first index of the next child of each node. */
  const next = new Int32Array(count);
  let nextRoot = 0;
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    starts[node] = parent < 0 ? nextRoot : next[parent];
    ends[node] = starts[node] + sizes[node];
    next[node] = starts[node] + 1;
    if (parent < 0) nextRoot = ends[node];
    else next[parent] = ends[node];
  }
  return { parents, depths: depths(parents), starts, ends };
}

export function isInSubtree(tree: NodeTree, node: number, top: number): boolean {
  return tree.starts[node] >= tree.starts[top] && tree.starts[node] < tree.ends[top];
}

export function isDescendant(tree: NodeTree, node: number, top: number): boolean {
  return node !== top && isInSubtree(tree, node, top);
}

export function lowestCommonAncestor(tree: NodeTree, nodes: readonly number[]): number {
  let top = nodes[0] ?? -1;
  for (const node of nodes) while (top >= 0 && !isInSubtree(tree, node, top)) top = tree.parents[top];
  return top;
}

/** Marks the joints of a skeleton and all their ancestors: the nodes that can be bones. */
export function jointsAndAncestors({ joints, parents }: Skeleton): Uint8Array {
  const touched = Uint8Array.from(joints);
  if (!touched.includes(1)) return touched.fill(1);
  for (let node = touched.length - 1; node >= 0; node--) {
    if (touched[node] === 1 && parents[node] >= 0) touched[parents[node]] = 1;
  }
  return touched;
}
