/** Chooses the node whose space is the model space: `rootNode` of EXT_skeleton_humanoid. */
import * as mat4 from '../../../core/math/mat4.ts';
import { modelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../../core/skeleton/topology.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import type { NormalizeRequest } from './normalize-request.ts';

/** Tolerance between the matrix of the root node and the model space, meters and matrix components. */
const SAME_SPACE = 1e-6;
/** The same where the file is only described, not edited. */
const SIMILAR_SPACE = 1e-3;

export interface RootPlan {
  /** Topmost glTF nodes of the model: above all bones and without nodes of other skeletons below. One node unless the bones are in several trees. */
  readonly tops: readonly number[];
  /** glTF node, or the index of the node to add. */
  readonly node: number;
  /** Whether a node is to be added above the topmost nodes. */
  readonly isNew: boolean;
}

/** The lowest node at or above all bones; −1 where they are in several trees. */
function commonNode({ parents }: NodeForest, forestNodes: readonly number[]): number {
  let common = forestNodes[0];
  for (const forestNode of forestNodes) {
    common = commonAncestor(parents, common, forestNode);
    if (common < 0) return -1;
  }
  return common;
}

function topNodesOf(
  forest: NodeForest,
  forestNodes: readonly number[],
  common: number,
  shared: ReadonlySet<number>,
): number[] {
  const { parents, sourceNodes } = forest;
  if (common >= 0) {
    let top = common;
    while (parents[top] >= 0 && !shared.has(sourceNodes[parents[top]])) top = parents[top];
    return [top];
  }
  const roots = new Set<number>();
  for (const forestNode of forestNodes) {
    let root = forestNode;
    while (parents[root] >= 0) root = parents[root];
    roots.add(root);
  }
  return [...roots].sort((a, b) => a - b);
}

/** Whether a matrix equals the wanted one; with `rotationOnly` translation and scale are ignored. */
function isSpace(m: Float64Array, at: number, wanted: Float64Array, tolerance: number, rotationOnly: boolean): boolean {
  const size = rotationOnly ? Math.cbrt(Math.abs(mat4.determinant(m, at))) : 1;
  if (!(size > 0)) return false;
  for (let c = 0; c < (rotationOnly ? 12 : MATRIX_STRIDE); c++) {
    if (Math.abs(m[at + c] / size - wanted[c]) > tolerance) return false;
  }
  return true;
}

/**
 * Chooses the root node: the lowest node at or above all bones that has the model space as its space and is not
 * animated. Where no node qualifies, the topmost node of the model is chosen, or, if the request requires it, a node is
 * added.
 */
export function planRoot(
  forest: NodeForest,
  request: NormalizeRequest,
  animated: ReadonlySet<number>,
  newNode: number,
): RootPlan {
  const { bones, shared, requiresRoot, modelSpace, rootSpace, space } = request;
  const forestNodes = Array.from(bones)
    .filter((node) => node >= 0)
    .map((node) => forest.nodesBySource[node]);
  const common = commonNode(forest, forestNodes);
  const tops = topNodesOf(forest, forestNodes, common, shared);
  const topNodes = tops.map((forestNode) => forest.sourceNodes[forestNode]);
  if (common < 0 || (requiresRoot && rootSpace !== null)) return { tops: topNodes, node: newNode, isNew: true };
  const matrices = modelMatrices(forest.parents, forest.rest);
  for (let forestNode = common; forestNode >= 0; forestNode = forest.parents[forestNode]) {
    const node = forest.sourceNodes[forestNode];
    // Bones move, so a bone is the root only if it is the topmost node and the model space is not required.
    if (animated.has(node) || bones.includes(node)) {
      if (forestNode === tops[0]) break;
      continue;
    }
    const matrix = matrices.slice(MATRIX_STRIDE * forestNode, MATRIX_STRIDE * (forestNode + 1));
    if (space !== null) mat4.multiply(matrix, 0, space, 0, matrix, 0);
    if (isSpace(matrix, 0, modelSpace, requiresRoot ? SAME_SPACE : SIMILAR_SPACE, !requiresRoot)) {
      return { tops: topNodes, node, isNew: false };
    }
    if (forestNode === tops[0]) break;
  }
  return requiresRoot
    ? { tops: topNodes, node: newNode, isNew: true }
    : { tops: topNodes, node: topNodes[0], isNew: false };
}
