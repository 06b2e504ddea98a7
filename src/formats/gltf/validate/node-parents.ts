/** The node tree, read without trusting it: glTF 2.0 section 3.5.2. */
import { listOf } from '../document/loose-json.ts';
import { isIndexOf, type Validation } from './validation.ts';

/**
 * Lists the parent of every node. Of several parents the first one counts. Cycles remain; {@link isAtOrAbove} stops in
 * them.
 */
export function nodeParents(validation: Validation): Int32Array {
  const nodes = listOf(validation.doc.json, 'nodes');
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [index, node] of nodes.entries()) {
    for (const child of listOf(node, 'children')) {
      if (isIndexOf(validation, 'nodes', child) && child !== index && parents[child] < 0) parents[child] = index;
    }
  }
  return parents;
}

/** Checks whether a node is another node or one of its ancestors. In a cycle it stops after as many steps as there are nodes. */
export function isAtOrAbove(parents: Int32Array, top: number, node: number): boolean {
  let at = node;
  for (let steps = 0; at >= 0 && steps <= parents.length; steps++) {
    if (at === top) return true;
    at = parents[at];
  }
  return false;
}
