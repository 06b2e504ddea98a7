/** The node whose space is that of the model: `rootNode` of EXT_skeleton_humanoid. */
import * as mat4 from '../../../core/math/mat4.ts';
import { localToModelMatrices } from '../../../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { commonAncestor } from '../../../core/skeleton/topology.ts';
import type { NodeForest } from '../read-nodes.ts';
import type { ConformRequest } from './conform-document.ts';

/** How far the matrix of a root node may be off that of the model space, meters and parts of 1. */
const SAME_SPACE = 1e-6;
/** The same where the file is only described, not edited. */
const LIKE_SPACE = 1e-3;

/** Where the model hangs. */
export interface RootPlan {
  /** Nodes of the file, above all bones, with nothing of other skeletons below them: one, but for bones in several trees. */
  readonly tops: readonly number[];
  /** Node of the file, or the index of the node that is to be made. */
  readonly node: number;
  /** Whether a node is to be put above the tops. */
  readonly isNew: boolean;
}

/** The lowest place at or above all bones; −1 where they are in several trees. */
function commonPlace({ parents }: NodeForest, places: readonly number[]): number {
  let common = places[0];
  for (const place of places) {
    common = commonAncestor(parents, common, place);
    if (common < 0) return -1;
  }
  return common;
}

function topPlaces(
  forest: NodeForest,
  places: readonly number[],
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
  for (const place of places) {
    let root = place;
    while (parents[root] >= 0) root = parents[root];
    roots.add(root);
  }
  return [...roots].sort((a, b) => a - b);
}

/** Whether a matrix is the wanted one; with `turnOnly` its place and its size do not matter. */
function isSpace(m: Float64Array, at: number, wanted: Float64Array, tolerance: number, turnOnly: boolean): boolean {
  const size = turnOnly ? Math.cbrt(Math.abs(mat4.determinant(m, at))) : 1;
  if (!(size > 0)) return false;
  for (let c = 0; c < (turnOnly ? 12 : MATRIX_STRIDE); c++) {
    if (Math.abs(m[at + c] / size - wanted[c]) > tolerance) return false;
  }
  return true;
}

/**
 * Chooses the root node: the lowest node at or above all bones that stands in the space of the model and is not animated. Where a model is to be in that
 * space, and there is no such node, one is to be made; else the top of the model is taken.
 */
export function planRoot(
  forest: NodeForest,
  request: ConformRequest,
  animated: ReadonlySet<number>,
  newNode: number,
): RootPlan {
  const { bones, shared, isWhole, modelSpace, rootSpace, space } = request;
  const places = Array.from(bones)
    .filter((node) => node >= 0)
    .map((node) => forest.places[node]);
  const common = commonPlace(forest, places);
  const tops = topPlaces(forest, places, common, shared);
  const topNodes = tops.map((place) => forest.sourceNodes[place]);
  if (common < 0 || (isWhole && rootSpace !== null)) return { tops: topNodes, node: newNode, isNew: true };
  const matrices = new Float64Array(MATRIX_STRIDE * forest.parents.length);
  localToModelMatrices(matrices, forest.parents, forest.rest);
  for (let place = common; place >= 0; place = forest.parents[place]) {
    const node = forest.sourceNodes[place];
    // A bone moves; only where nothing is above it, and the model need not stand in its space, it is the root as well.
    if (animated.has(node) || bones.includes(node)) {
      if (place === tops[0]) break;
      continue;
    }
    const matrix = matrices.slice(MATRIX_STRIDE * place, MATRIX_STRIDE * (place + 1));
    if (space !== null) mat4.multiply(matrix, 0, space, 0, matrix, 0);
    if (isSpace(matrix, 0, modelSpace, isWhole ? SAME_SPACE : LIKE_SPACE, !isWhole)) {
      return { tops: topNodes, node, isNew: false };
    }
    if (place === tops[0]) break;
  }
  return isWhole ? { tops: topNodes, node: newNode, isNew: true } : { tops: topNodes, node: topNodes[0], isNew: false };
}
