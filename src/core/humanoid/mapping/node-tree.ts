/** Questions on a node tree that mapping asks again and again, each answered in constant time. */
import { depths } from '../../skeleton/topology.ts';

export interface NodeTree {
  readonly parents: Int32Array;
  /** Steps up to the root. */
  readonly depths: Int32Array;
  /**
   * Place of every node in a depth-first walk; the subtree of a node has the places from its own up to, without, its
   * end.
   */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Walks a tree once. `parents` has parents first. */
export function nodeTree(parents: Int32Array): NodeTree {
  const count = parents.length;
  const sizes = new Int32Array(count).fill(1);
  for (let node = count - 1; node >= 0; node--) if (parents[node] >= 0) sizes[parents[node]] += sizes[node];
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  /** Where the next child of a node starts. */
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

/** Whether a node is `top` or below it. */
export function isWithin(tree: NodeTree, node: number, top: number): boolean {
  return tree.starts[node] >= tree.starts[top] && tree.starts[node] < tree.ends[top];
}

/** Whether a node is below `top`. */
export function isBelow(tree: NodeTree, node: number, top: number): boolean {
  return node !== top && isWithin(tree, node, top);
}

/** The lowest node that has all of `nodes` at or below it; −1 without one. */
export function lowestAbove(tree: NodeTree, nodes: readonly number[]): number {
  let top = nodes[0] ?? -1;
  for (const node of nodes) while (top >= 0 && !isWithin(tree, node, top)) top = tree.parents[top];
  return top;
}
