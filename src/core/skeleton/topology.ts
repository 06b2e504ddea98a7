/** Joint hierarchies as arrays of parent indices, by the rules of UsdSkelTopology: parents come before children, a root has −1. */
import { type Validity, validity } from '../report/validity.ts';

/**
 * Checks an array of parent indices: every parent must be −1 or an earlier node. `names`: node names; when passed, their number must equal the
 * number of nodes.
 */
export function validateTopology(parents: ArrayLike<number>, names?: readonly string[]): Validity {
  const reasons: string[] = [];
  const count = parents.length;
  if (names !== undefined && names.length !== count) {
    reasons.push(`there are ${names.length} names for ${count} parents; expected one name and one parent per node`);
  }
  for (let node = 0; node < count; node++) {
    const parent = parents[node];
    if (!(Number.isInteger(parent) && parent >= -1 && parent < count)) {
      reasons.push(`node ${node} has parent ${parent}; expected −1 or a node index from 0 to ${count - 1}`);
    } else if (parent === node) {
      reasons.push(`node ${node} is its own parent`);
    } else if (parent > node) {
      reasons.push(`node ${node} comes before its parent ${parent}; sort parents first`);
    }
  }
  return validity(reasons);
}

/** A hierarchy with parents before children, and the former index of each node. */
interface SortedTopology {
  /** Parent of each sorted node, as a sorted index; −1 for a root. */
  readonly parents: Int32Array;
  readonly order: Int32Array;
  /** Former indices of nodes on a cycle or below one, ascending; the other arrays do not contain them. */
  readonly cyclic: Int32Array;
}

/**
 * Sorts parents before children. Nodes keep their relative order where possible; a sorted array stays as it is. Throws RangeError for a parent that
 * is not −1 or a node index.
 */
export function sortParentsFirst(parents: ArrayLike<number>): SortedTopology {
  const count = parents.length;
  const order: number[] = [];
  const cyclic: number[] = [];
  const PENDING = -2;
  const CYCLIC = -3;
  const UNSEEN = -4;
  /** Sorted index of each node, or one of the states above. */
  const sortedIndex = new Int32Array(count).fill(UNSEEN);
  const path: number[] = [];
  for (let start = 0; start < count; start++) {
    let node = start;
    while (node !== -1 && sortedIndex[node] === UNSEEN) {
      sortedIndex[node] = PENDING;
      path.push(node);
      const parent = parents[node];
      if (!(Number.isInteger(parent) && parent >= -1 && parent < count)) {
        throw new RangeError(`Node ${node} has parent ${parent}; expected −1 or a node index from 0 to ${count - 1}.`);
      }
      node = parent;
    }
    const isCyclic = node !== -1 && sortedIndex[node] < 0;
    while (path.length > 0) {
      const next = path.pop() as number;
      sortedIndex[next] = isCyclic ? CYCLIC : order.length;
      (isCyclic ? cyclic : order).push(next);
    }
  }
  const sorted = Int32Array.from(order, (former) => (parents[former] === -1 ? -1 : sortedIndex[parents[former]]));
  return { parents: sorted, order: Int32Array.from(order), cyclic: Int32Array.from(cyclic).sort() };
}

/** Returns where every element of an order is in it. */
export function inverseOrder(order: ArrayLike<number>): Int32Array {
  const indices = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) indices[order[k]] = k;
  return indices;
}

/** Finds the nearest ancestor of each node within a subset of the nodes. */
export function parentsAmong(parents: ArrayLike<number>, nodes: readonly number[]): Int32Array {
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const nearest = new Int32Array(parents.length).fill(-1);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    if (parent >= 0) nearest[node] = indexOf.get(parent) ?? nearest[parent];
  }
  return Int32Array.from(nodes, (node) => nearest[node]);
}

/** Matches a character that prim names cannot contain or begin with. A plain search, so long paths cost linear time. */
const NOT_PRIM_PATH = /[^\p{XIDC}/]|(?:^|\/)(?![\p{XIDS}_])/u;

/** Returns whether a path consists of prim names; other paths (empty, `/`, `..`, a property) are not joints of the hierarchy. */
function isPrimPath(path: string): boolean {
  return !NOT_PRIM_PATH.test(path.startsWith('/') ? path.slice(1) : path);
}

/**
 * Derives the hierarchy of joints that are named by paths, as UsdSkel does: the parent is the nearest ancestor path in the list, at any distance.
 * Absolute and relative paths are unrelated. Of equal paths the last is the parent. Invalid prim paths are roots. Use {@link sortParentsFirst} where
 * parents must come first.
 */
export function parentsFromPaths(paths: readonly string[]): Int32Array {
  const parents = new Int32Array(paths.length).fill(-1);
  const order = paths.map((_, joint) => joint).filter((joint) => isPrimPath(paths[joint]));
  // No character in a name sorts before the slash, so every path is directly followed by its descendants.
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

export function isAncestor(parents: ArrayLike<number>, ancestor: number, node: number): boolean {
  let above = parents[node];
  while (above > ancestor) above = parents[above];
  return above === ancestor && above >= 0;
}

/** Finds the lowest common ancestor of two nodes; a node counts as its own ancestor here. */
export function commonAncestor(parents: ArrayLike<number>, a: number, b: number): number {
  let x = a;
  let y = b;
  while (x !== y) {
    if (x > y) x = parents[x];
    else y = parents[y];
  }
  return x;
}

/** The children of all nodes in one array. */
interface ChildRanges {
  /** Node n's children are at `starts[n]` to `starts[n + 1]` − 1 in `children`; one entry more than nodes. */
  readonly starts: Int32Array;
  /** Node indices, by parent, ascending within a parent. */
  readonly children: Int32Array;
}

/** Lists the children of every node. Returns the children of each node, in ascending order. */
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

export function depths(parents: ArrayLike<number>): Int32Array {
  const out = new Int32Array(parents.length);
  for (let node = 0; node < parents.length; node++) if (parents[node] >= 0) out[node] = out[parents[node]] + 1;
  return out;
}
