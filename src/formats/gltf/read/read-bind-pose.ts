/** Reads the bind pose of all nodes of a file from the inverse bind matrices of its skins. glTF 2.0 section 3.7.3. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { BindMatrices } from '../../../core/skeleton/cut-skeleton.ts';
import { fillBind } from '../../../core/skeleton/fill-bind.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { agrees, extentOf, findUnbound, isUsable, solveBindShape } from '../../../core/skeleton/solve-bind.ts';
import type { NodeForest } from './read-nodes.ts';
import type { FileSkin } from './read-skins.ts';

/** Number of mesh nodes whose world matrix is tried as the bind-shape factor. */
const MAX_MESH_CANDIDATES = 8;
/** Number of ancestors of the first joint whose world matrix is tried. */
const MAX_ANCESTOR_CANDIDATES = 24;

/**
 * Solves the bind pose of each group of skins, the skin with the most joints first. A joint of several skins is bound by the first of them; shared
 * joints also determine the bind-shape factor of the later skins. `worlds` are those of the rest pose. `issues` receives BIND_SHAPE_UNSOLVED, and
 * GLTF_SKIN for unusable matrices (not finite, huge, singular, mirrored) and for skins that contradict each other. Returns the bind pose in model
 * space.
 */
export function readBindPose(
  forest: NodeForest,
  worlds: Float64Array,
  groups: readonly (readonly FileSkin[])[],
  issues: Issue[],
): BindMatrices {
  const bind: BindMatrices = { matrices: worlds.slice(), bound: new Uint8Array(forest.parents.length) };
  for (const group of groups) {
    const extent = sizeOfGroup(worlds, group);
    const sorted = [...group].sort((a, b) => b.joints.length - a.joints.length || a.index - b.index);
    for (const skin of sorted) bindSkin(forest, worlds, bind, skin, extent, issues);
  }
  fillBind(bind.matrices, bind.bound, forest.parents, forest.rest, worlds);
  return bind;
}

/** Extent of all joints; of a single joint its distance from the origin. Always above 0. */
function sizeOfGroup(worlds: Float64Array, group: readonly FileSkin[]): number {
  const nodes = group.flatMap((skin) => Array.from(skin.joints));
  const extent = extentOf(gather(worlds, nodes));
  if (extent > 0) return extent;
  const at = nodes[0] * MATRIX_STRIDE;
  return Math.hypot(worlds[at + 12], worlds[at + 13], worlds[at + 14]) || 1;
}

function gather(matrices: Float64Array, nodes: readonly number[]): Float64Array {
  const out = new Float64Array(nodes.length * MATRIX_STRIDE);
  nodes.forEach((node, i) => {
    mat4.copy(out, i * MATRIX_STRIDE, matrices, node * MATRIX_STRIDE);
  });
  return out;
}

function bindSkin(
  forest: NodeForest,
  worlds: Float64Array,
  bind: BindMatrices,
  skin: FileSkin,
  extent: number,
  issues: Issue[],
): void {
  const { matrices, bound } = bind;
  const pointer = `/skins/${skin.index}/inverseBindMatrices`;
  const usable = usableJoints(worlds, skin, extent, issues);
  if (usable.length === 0) return;
  const inShape = new Float64Array(usable.length * MATRIX_STRIDE);
  usable.forEach(({ joint }, i) => {
    mat4.invertAffine(inShape, i * MATRIX_STRIDE, skin.inverseBind as Float64Array, joint * MATRIX_STRIDE);
  });
  const shared = usable.flatMap(({ node }, i) => (bound[node] === 1 ? [i] : []));
  const chosen = shared.length > 0 ? shared : usable.map((_, i) => i);
  const nodes = chosen.map((i) => usable[i].node);
  const expected = expectedAt(forest, worlds, bind, nodes);
  const { matrix: shape, kind } = solveBindShape({
    bindInShape: gather(inShape, chosen),
    expected,
    parents: parentsAmong(forest, nodes),
    candidates: candidateShapes(forest, worlds, skin),
    extent,
  });
  if (kind === 'guessed') {
    const message =
      `No common transform maps the inverse bind matrices of skin ${skin.index} to the node hierarchy; ` +
      'the bind pose is a guess. If it looks wrong, use the rest pose of the nodes instead';
    issues.push(issue('BIND_SHAPE_UNSOLVED', message, { pointer }));
  }
  let contradicting = 0;
  let mirrored = 0;
  const found = new Float64Array(MATRIX_STRIDE);
  usable.forEach(({ node }, i) => {
    const at = node * MATRIX_STRIDE;
    mat4.multiply(found, 0, shape, 0, inShape, i * MATRIX_STRIDE);
    if (bound[node] === 1) {
      if (!agrees(found, 0, matrices, at, extent)) contradicting++;
    } else if (mat4.determinant(found, 0) < 0 !== mat4.determinant(worlds, at) < 0) mirrored++;
    else {
      mat4.copy(matrices, at, found, 0);
      bound[node] = 1;
    }
  });
  if (contradicting > 0) {
    const message = `Skin ${skin.index} binds ${contradicting} joints differently from a skin with more joints; the larger skin was used`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
  if (mirrored > 0) {
    const message = `Skin ${skin.index} has ${mirrored} inverse bind matrices that mirror their joint; these joints use their rest pose`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
}

/** Joints that an inverse bind matrix binds, in the order of the forest. */
function usableJoints(
  worlds: Float64Array,
  skin: FileSkin,
  extent: number,
  issues: Issue[],
): { joint: number; node: number }[] {
  const { inverseBind, joints } = skin;
  if (inverseBind === null) return [];
  const nodes = Array.from(joints.subarray(0, inverseBind.length / MATRIX_STRIDE));
  const unbound = findUnbound(inverseBind, gather(worlds, nodes), extent);
  const pointer = `/skins/${skin.index}/inverseBindMatrices`;
  const usable: { joint: number; node: number }[] = [];
  let broken = 0;
  nodes.forEach((node, joint) => {
    if (!isUsable(inverseBind, joint * MATRIX_STRIDE)) broken++;
    else if (unbound[joint] === 0) usable.push({ joint, node });
  });
  if (broken > 0) {
    const message = `Skin ${skin.index} has ${broken} inverse bind matrices that are singular, not finite or beyond 1e9; these joints use their rest pose`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
  if (usable.length === 0 && unbound.includes(1)) {
    const message = `No inverse bind matrix of skin ${skin.index} binds a joint, so it has no bind pose; the rest pose was used`;
    issues.push(issue('GLTF_SKIN', message, { pointer }));
  }
  return usable.sort((a, b) => a.node - b.node);
}

const matrix = new Float64Array(MATRIX_STRIDE);

/** Bind matrices of joints; unbound joints follow their nearest bound ancestor in the rest pose. `nodes` is ascending. */
function expectedAt(
  { parents }: NodeForest,
  worlds: Float64Array,
  { matrices, bound }: BindMatrices,
  nodes: readonly number[],
): Float64Array {
  let first = nodes[0];
  while (parents[first] >= 0) first = parents[first];
  /** The node itself or its nearest bound ancestor, −1 without one, for nodes from `first` on. */
  const nearest = new Int32Array(nodes[nodes.length - 1] - first + 1);
  for (let i = 0; i < nearest.length; i++) {
    const node = first + i;
    nearest[i] = bound[node] === 1 ? node : parents[node] < 0 ? -1 : nearest[parents[node] - first];
  }
  const expected = gather(worlds, nodes);
  nodes.forEach((node, i) => {
    const above = nearest[node - first];
    if (above < 0) return;
    const o = i * MATRIX_STRIDE;
    if (above === node) mat4.copy(expected, o, matrices, node * MATRIX_STRIDE);
    else if (mat4.invertAffine(matrix, 0, worlds, above * MATRIX_STRIDE)) {
      mat4.multiply(matrix, 0, matrices, above * MATRIX_STRIDE, matrix, 0);
      mat4.multiply(expected, o, matrix, 0, worlds, node * MATRIX_STRIDE);
    }
  });
  return expected;
}

/** Index in `nodes` of the nearest ancestor of each of them; −1 without one. `nodes` is ascending. */
function parentsAmong({ ends }: NodeForest, nodes: readonly number[]): Int32Array {
  const stack: number[] = [];
  return Int32Array.from(nodes, (node, i) => {
    while (stack.length > 0 && ends[nodes[stack[stack.length - 1]]] <= node) stack.pop();
    const parent = stack.length > 0 ? stack[stack.length - 1] : -1;
    stack.push(i);
    return parent;
  });
}

/** World matrices of the skin's mesh nodes, then of the ancestors of its first joint: likely spaces of the vertices. */
function candidateShapes({ parents }: NodeForest, worlds: Float64Array, skin: FileSkin): Float64Array {
  const nodes = skin.meshNodes.slice(0, MAX_MESH_CANDIDATES);
  let above = parents[skin.joints[0]];
  for (let i = 0; i < MAX_ANCESTOR_CANDIDATES && above >= 0; i++) {
    nodes.push(above);
    above = parents[above];
  }
  return gather(
    worlds,
    nodes.filter((node) => isUsable(worlds, node * MATRIX_STRIDE)),
  );
}
