/** Builds the path tree of the PATHS section of a binary USD file. */

interface PathNode {
  readonly index: number;
  /** Last element, as in the token: `B`, `{set=variant}`, `[/Target]`, `.attribute` after a target; only the name of a property. */
  readonly element: string;
  readonly isProperty: boolean;
  children: readonly PathNode[];
}

/** Shared list for the many paths without children. */
const NONE: readonly PathNode[] = [];

export interface PathTree {
  readonly nodes: Map<string, PathNode>;
  readonly root: PathNode;
  /** Index of the empty path, which is not in the tree; -1 if it is unused. */
  empty: number;
}

export function createPathTree(): PathTree {
  const root: PathNode = { index: 0, element: '', isProperty: false, children: NONE };
  return { nodes: new Map([['/', root]]), root, empty: -1 };
}

export function pathCount({ nodes, empty }: PathTree): number {
  return nodes.size + (empty < 0 ? 0 : 1);
}

interface Split {
  readonly parent: string;
  readonly element: string;
  readonly isProperty: boolean;
}

/** Finds the bracket that opens the last pair; brackets may be nested. */
function openingBracket(path: string): number {
  let depth = 0;
  for (let i = path.length - 1; i >= 0; i--) {
    if (path[i] === ']') depth++;
    else if (path[i] === '[' && --depth === 0) return i;
  }
  return -1;
}

function splitPath(path: string): Split {
  if (path.endsWith(']')) {
    const bracket = openingBracket(path);
    const mapper = '.mapper';
    const cut = path.endsWith(mapper, bracket) ? bracket - mapper.length : bracket;
    return { parent: path.slice(0, cut), element: path.slice(cut), isProperty: false };
  }
  if (path.endsWith('}')) {
    const cut = path.lastIndexOf('{');
    return { parent: path.slice(0, cut), element: path.slice(cut), isProperty: false };
  }
  const last = Math.max(path.lastIndexOf('/'), path.lastIndexOf('}'), path.lastIndexOf(']'));
  const dot = path.indexOf('.', last + 1);
  if (dot < 0)
    return {
      parent: path.slice(0, path[last] === '/' ? last : last + 1),
      element: path.slice(last + 1),
      isProperty: false,
    };
  // After a target, attributes keep their dot and are not properties of prims.
  const isProperty = path[dot - 1] !== ']';
  const parent = path.slice(0, dot);
  return { parent, element: path.slice(isProperty ? dot + 1 : dot), isProperty };
}

/** Adds a path and its ancestors if they are new. */
export function addPathToTree(tree: PathTree, path: string): number {
  if (path === '') {
    if (tree.empty < 0) tree.empty = tree.nodes.size;
    return tree.empty;
  }
  const missing: (readonly [string, Split])[] = [];
  let above = path;
  let node = tree.nodes.get(above);
  while (node === undefined) {
    if (!above.startsWith('/'))
      throw new RangeError(`Found the relative path ${JSON.stringify(path)}, expected an absolute path`);
    const split = splitPath(above);
    missing.push([above, split]);
    above = split.parent === '' ? '/' : split.parent;
    node = tree.nodes.get(above);
  }
  for (const [added, { element, isProperty }] of missing.reverse()) {
    const child: PathNode = { index: pathCount(tree), element, isProperty, children: NONE };
    if (node.children === NONE) node.children = [child];
    else (node.children as PathNode[]).push(child);
    tree.nodes.set(added, child);
    node = child;
  }
  return node.index;
}

/**
 * Encodes a tree of paths. `elements` are token indices of the last elements, negated for properties; `jumps` are -2 for a leaf, -1 with children
 * only, 0 with siblings only; with both the distance to the next sibling.
 */
export function flattenPathTree(
  tree: PathTree,
  addToken: (token: string) => number,
): { indexes: Int32Array; elements: Int32Array; jumps: Int32Array } {
  const count = tree.nodes.size;
  const indexes = new Int32Array(count);
  const elements = new Int32Array(count);
  const jumps = new Int32Array(count);
  const levels = new Int32Array(count);
  const pending = [{ node: tree.root, level: 0 }];
  for (let i = 0; i < count; i++) {
    const { node, level } = pending.pop()!;
    const token = addToken(node.element);
    indexes[i] = node.index;
    elements[i] = node.isProperty ? -token : token;
    levels[i] = level;
    for (let k = node.children.length - 1; k >= 0; k--) pending.push({ node: node.children[k], level: level + 1 });
  }
  // From the end: `next` has the next sibling of each level, and forgets levels below a higher one.
  const next: number[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const level = levels[i];
    const sibling = next[level] ?? 0;
    const hasChild = i + 1 < count && levels[i + 1] > level;
    next.length = level;
    next[level] = i;
    jumps[i] = sibling === 0 ? (hasChild ? -1 : -2) : hasChild ? sibling - i : 0;
  }
  return { indexes, elements, jumps };
}
