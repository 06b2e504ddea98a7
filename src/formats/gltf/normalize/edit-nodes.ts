/** Writes node transforms, the new nodes of wrapped bones, and a new root node. glTF 2.0 section 3.5. */
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { isIdentityRotation } from '../../../core/normalize/canonical-rotations.ts';
import { changeFrameOfTransform, type FrameChange, isIdentityChange } from '../../../core/normalize/frame-change.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { uniqueName } from '../../../core/text/unique-name.ts';
import { appendNode } from '../document/append-node.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, isObject, type JsonObject, listItem, memberAt, numbersAt } from '../document/json-access.ts';
import { memberOf } from '../document/loose-json.ts';
import type { Frames } from './frames.ts';
import type { RootPlan } from './plan-root.ts';

/** JSON numbers without −0. */
function numbers(values: Float64Array, from: number, to: number): number[] {
  return Array.from(values.subarray(from, to), (value) => value + 0);
}

/**
 * Writes a local transform to a node. Default values that the node does not have are omitted. `trs`: 10 floats: translation, rotation xyzw, scale.
 */
export function writeTransform(node: JsonObject, trs: Float64Array): void {
  delete node['matrix'];
  const put = (key: string, from: number, to: number, standard: (c: number) => number): void => {
    const list = numbers(trs, from, to);
    const isStandard = list.every((value, c) => value === standard(c));
    if (isStandard && memberAt(node, key) === undefined) return;
    node[key] = list;
  };
  put('translation', PATH_OFFSET.translation, PATH_OFFSET.rotation, () => 0);
  put('rotation', PATH_OFFSET.rotation, PATH_OFFSET.scale, (c) => (c === 3 ? 1 : 0));
  put('scale', PATH_OFFSET.scale, POSE_STRIDE, () => 1);
}

/** A node with a matrix that is not a bone and only gets a new parent frame keeps a matrix, so that shear is not lost. */
function changeMatrix(node: JsonObject, pointer: string, change: FrameChange): boolean {
  const matrix = numbersAt(node, 'matrix', pointer, MATRIX_STRIDE);
  if (matrix === undefined || !isIdentityRotation(change.axes, 0)) return false;
  const { rotation: r, scale: s, translation: t } = change;
  const left = new Float64Array(MATRIX_STRIDE);
  mat4.compose(left, 0, [t[0], t[1], t[2], r[0], r[1], r[2], r[3], s, s, s], 0);
  mat4.multiply(left, 0, left, 0, matrix, 0);
  node['matrix'] = numbers(left, 0, MATRIX_STRIDE);
  return true;
}

function unusedNodeName({ json }: GltfDocument, wanted: string): string {
  const taken = new Set(arrayAt(json, 'nodes', '').map((node) => memberOf(node, 'name')));
  return uniqueName(wanted, (name) => taken.has(name), ' ', 2);
}

/** Replaces nodes by another one: in the children of their parent and in the roots of the scenes, at the index of the first one. */
function replaceInTree({ json }: GltfDocument, parent: number, olds: readonly number[], node: number): void {
  const replaced = (list: readonly unknown[]): unknown[] => {
    const first = list.findIndex((item) => olds.includes(item as number));
    return list.flatMap((item, i) => (i === first ? [node] : olds.includes(item as number) ? [] : [item]));
  };
  if (parent >= 0) {
    const above = listItem(json, 'nodes', parent);
    above['children'] = replaced(arrayAt(above, 'children', `/nodes/${parent}`));
  }
  arrayAt(json, 'scenes', '').forEach((scene, i) => {
    if (!isObject(scene)) return;
    const nodes = arrayAt(scene, 'nodes', `/scenes/${i}`);
    if (nodes.some((item) => olds.includes(item as number))) scene['nodes'] = replaced(nodes);
  });
}

/** Writes all transforms that change. `animated`: glTF nodes that must not have a matrix. */
export function editNodes(doc: GltfDocument, frames: Frames, animated: ReadonlySet<number>): void {
  const { forest, rest, moved, changes, wraps } = frames;
  const trs = new Float64Array(POSE_STRIDE);
  for (let forestNode = 0; forestNode < forest.parents.length; forestNode++) {
    const change = changes[forestNode];
    const index = forest.sourceNodes[forestNode];
    const node = listItem(doc.json, 'nodes', index);
    const isAnimated = animated.has(index) || moved[forestNode] !== 0;
    if (isIdentityChange(change) && moved[forestNode] === 0 && !(isAnimated && memberAt(node, 'matrix') !== undefined))
      continue;
    if (wraps.has(forestNode)) continue;
    if (!isAnimated && changeMatrix(node, `/nodes/${index}`, change)) continue;
    changeFrameOfTransform(trs, 0, rest, POSE_STRIDE * forestNode, change);
    quat.normalize(trs, PATH_OFFSET.rotation, trs, PATH_OFFSET.rotation);
    writeTransform(node, trs);
  }
}

/** Adds the new nodes of wrapped bones, in the order of their indices. Throws RangeError when a node does not get the planned index. */
export function createWrappers(doc: GltfDocument, { forest, rest, changes, wraps }: Frames): void {
  const trs = new Float64Array(POSE_STRIDE);
  for (const [forestNode, { bone, node }] of wraps) {
    const old = forest.sourceNodes[forestNode];
    const name = unusedNodeName(doc, bone);
    changeFrameOfTransform(trs, 0, rest, POSE_STRIDE * forestNode, changes[forestNode]);
    quat.normalize(trs, PATH_OFFSET.rotation, trs, PATH_OFFSET.rotation);
    trs.fill(changes[forestNode].scale, PATH_OFFSET.scale);
    const created: JsonObject = { name, children: [old] };
    writeTransform(created, trs);
    const index = appendNode(doc.json, created);
    if (index !== node) throw new RangeError(`The new node of ${bone} has index ${index}, expected ${node}.`);
    const parent = forest.parents[forestNode];
    replaceInTree(doc, parent < 0 ? -1 : forest.sourceNodes[parent], [old], node);
    const below = new Float64Array(POSE_STRIDE);
    quat.conjugate(below, PATH_OFFSET.rotation, changes[forestNode].axes, 0);
    below.set(
      rest.subarray(POSE_STRIDE * forestNode + PATH_OFFSET.scale, POSE_STRIDE * (forestNode + 1)),
      PATH_OFFSET.scale,
    );
    writeTransform(listItem(doc.json, 'nodes', old), below);
  }
}

export function createRoot(
  doc: GltfDocument,
  { forest, wraps }: Frames,
  root: RootPlan,
  matrix: Float64Array,
  name: string,
): void {
  const trs = new Float64Array(POSE_STRIDE);
  mat4.decompose(trs, 0, matrix, 0);
  const created: JsonObject = { name: unusedNodeName(doc, name), children: [] };
  const forestNodes = root.tops.map((node) => forest.nodesBySource[node]);
  const parent = forest.parents[forestNodes[0]];
  // The new node of a wrapped bone has already replaced the old one.
  const children = root.tops.map((top, i) => wraps.get(forestNodes[i])?.node ?? top);
  writeTransform(created, trs);
  created['children'] = children;
  appendNode(doc.json, created);
  replaceInTree(doc, parent < 0 ? -1 : forest.sourceNodes[parent], children, root.node);
}
