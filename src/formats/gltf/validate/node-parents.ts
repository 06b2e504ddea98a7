/** The tree of nodes as far as it is one: glTF 2.0 section 3.5.2. */
import { isObject, memberAt } from '../schema.ts';
import { type Findings, isIndexOf, listOf } from './findings.ts';

/** Parent of every node of the file, −1 for roots. Of several parents the first counts; of a cycle the walk up ends by {@link isAtOrAbove}. */
export function nodeParents(findings: Findings): Int32Array {
  const nodes = listOf(findings, 'nodes');
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [index, node] of nodes.entries()) {
    const children = isObject(node) ? memberAt(node, 'children') : undefined;
    if (!Array.isArray(children)) continue;
    for (const child of children) {
      if (isIndexOf(findings, 'nodes', child) && child !== index && parents[child] < 0) parents[child] = index;
    }
  }
  return parents;
}

/** Whether `top` is `node` or above it. Cycles end after as many steps as there are nodes. */
export function isAtOrAbove(parents: Int32Array, top: number, node: number): boolean {
  let at = node;
  for (let steps = 0; at >= 0 && steps <= parents.length; steps++) {
    if (at === top) return true;
    at = parents[at];
  }
  return false;
}
