/** Joint trees as tables of parents, by the rules of UsdSkelTopology: parents come first, a root has −1. */
import { type Validity, validity } from '../report/validity.ts';

/** Whether a table of parents is one: every parent −1 or an earlier node; as many names as nodes, when names are given. */
export function validateTopology(parents: ArrayLike<number>, names?: readonly string[]): Validity {
  const reasons: string[] = [];
  const count = parents.length;
  if (names !== undefined && names.length !== count) {
    reasons.push(`there are ${names.length} names for ${count} parents; each node needs one of both`);
  }
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    if (!(Number.isInteger(parent) && parent >= -1 && parent < count)) {
      reasons.push(`node ${node} has parent ${parent}; expected −1 or a node of 0…${count - 1}`);
    } else if (parent === node) {
      reasons.push(`node ${node} is its own parent`);
    } else if (parent > node) {
      reasons.push(`node ${node} comes before its parent ${parent}; sort parents first`);
    }
  }
  return validity(reasons);
}

/** A table of parents, parents first, and where each of its nodes was before. */
export interface SortedTopology {
  /** Parents of the sorted nodes, as sorted indices. */
  readonly parents: Int32Array;
  /** Former index of every sorted node. */
  readonly order: Int32Array;
  /** Former indices of nodes on a cycle or below one; they are in neither table. */
  readonly cyclic: Int32Array;
}

/**
 * Sorts parents before children. Nodes keep their order as far as they can: a table that is sorted comes back as it is.
 * RangeError where a parent is no node.
 */
export function sortParentsFirst(parents: ArrayLike<number>): SortedTopology {
  const count = parents.length;
  const order: number[] = [];
  const cyclic: number[] = [];
  const PENDING = -2;
  const CYCLIC = -3;
  const UNSEEN = -4;
  /** Sorted index, or one of the states above. */
  const place = new Int32Array(count).fill(UNSEEN);
  const path: number[] = [];
  for (let start = 0; start < count; start++) {
    let node = start;
    while (node !== -1 && place[node] === UNSEEN) {
      place[node] = PENDING;
      path.push(node);
      const parent = parents[node];
      if (!(Number.isInteger(parent) && parent >= -1 && parent < count)) {
        throw new RangeError(`Node ${node} has parent ${parent}; expected −1 or a node of 0…${count - 1}.`);
      }
      node = parent;
    }
    const isCyclic = node !== -1 && place[node] < 0;
    while (path.length > 0) {
      const next = path.pop() as number;
      place[next] = isCyclic ? CYCLIC : order.length;
      (isCyclic ? cyclic : order).push(next);
    }
  }
  const sorted = Int32Array.from(order, (former) => (parents[former] === -1 ? -1 : place[parents[former]]));
  return { parents: sorted, order: Int32Array.from(order), cyclic: Int32Array.from(cyclic).sort() };
}

/** For each of some nodes the nearest above it among them, as an index among them; −1 for none. Parents come first. */
export function parentsAmong(parents: ArrayLike<number>, nodes: readonly number[]): Int32Array {
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  const nearest = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    if (parent >= 0) nearest[node] = placeOf.get(parent) ?? nearest[parent];
  }
  return Int32Array.from(nodes, (node) => nearest[node]);
}

/** A character that no prim name has, or a name that begins with one that cannot begin it. Searches, so long paths do no harm. */
const NOT_PRIM_PATH = /[^\p{XIDC}/]|(?:^|\/)(?![\p{XIDS}_])/u;

/** Whether a path consists of prim names; anything else (empty, `/`, `..`, a property) is no joint of a tree. */
function isPrimPath(path: string): boolean {
  return !NOT_PRIM_PATH.test(path.startsWith('/') ? path.slice(1) : path);
}

/**
 * Parents of joints that are named by paths, as UsdSkel has it: the nearest ancestor that is in the list, however far up;
 * −1 without one. Absolute and relative paths never meet, the last of equal paths is the parent, and what is no path of
 * prims is a root. The order of the list does not matter, so the result may need {@link sortParentsFirst}.
 */
export function parentsFromPaths(paths: readonly string[]): Int32Array {
  const parents = new Int32Array(paths.length).fill(-1);
  const order = paths.map((_, joint) => joint).filter((joint) => isPrimPath(paths[joint]));
  // No character of names is below the slash, so that sorting puts every path right before what is below it.
  order.sort((a, b) => (paths[a] < paths[b] ? -1 : paths[a] > paths[b] ? 1 : a - b));
  const ancestors: number[] = [];
  for (const joint of order) {
    const path = paths[joint];
    let parent = ancestors.at(-1);
    while (parent !== undefined && !(path.startsWith(paths[parent]) && path[paths[parent].length] === '/')) {
      ancestors.pop();
      parent = ancestors.at(-1);
    }
    parents[joint] = parent ?? -1;
    ancestors.push(joint);
  }
  return parents;
}

/** Whether `ancestor` is above `node`; a node is not above itself. `parents` has parents first. */
export function isAncestor(parents: ArrayLike<number>, ancestor: number, node: number): boolean {
  let above = parents[node];
  while (above > ancestor) above = parents[above];
  return above === ancestor && above >= 0;
}

/** The lowest node that is `a` or above it and `b` or above it; −1 for nodes of two trees. `parents` has parents first. */
export function commonAncestor(parents: ArrayLike<number>, a: number, b: number): number {
  let x = a;
  let y = b;
  while (x !== y) {
    if (x > y) x = parents[x];
    else y = parents[y];
  }
  return x;
}

/** Children of all nodes in one array. */
export interface ChildRanges {
  /** The children of node n are `children[starts[n]]` up to, without, `children[starts[n + 1]]`; one more entry than nodes. */
  readonly starts: Int32Array;
  readonly children: Int32Array;
}

/** The children of every node, in rising order. */
export function childRanges(parents: ArrayLike<number>): ChildRanges {
  const count = parents.length;
  const starts = new Int32Array(count + 1);
  for (let node = 0; node < count; node++) if (parents[node] >= 0) starts[parents[node] + 1]++;
  for (let node = 0; node < count; node++) starts[node + 1] += starts[node];
  const next = starts.slice(0, count);
  const children = new Int32Array(starts[count]);
  for (let node = 0; node < count; node++) if (parents[node] >= 0) children[next[parents[node]]++] = node;
  return { starts, children };
}

/** Steps from every node up to its root, 0 for a root. `parents` has parents first. */
export function depths(parents: ArrayLike<number>): Int32Array {
  const out = new Int32Array(parents.length);
  for (let node = 0; node < parents.length; node++) if (parents[node] >= 0) out[node] = out[parents[node]] + 1;
  return out;
}
