/** Nodes with new transforms, new nodes of wrapped bones, and a new root. glTF 2.0 section 3.5. */

import { isNoTurn } from '../../../core/conform/canonical-turns.ts';
import { changeTransform, type FrameChange, isNoChange } from '../../../core/conform/frame-change.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { GltfDocument } from '../document.ts';
import { arrayAt, growingList, isObject, type JsonObject, listItem, memberAt, numbersAt } from '../schema.ts';
import type { Frames } from './plan-frames.ts';
import type { RootPlan } from './plan-root.ts';

/** Numbers of JSON: without −0. */
function numbers(values: Float64Array, from: number, to: number): number[] {
  return Array.from(values.subarray(from, to), (value) => value + 0);
}

/** Gives a node this transform, ten floats; what stands there by default and is not in the file is left out. */
export function writeTransform(node: JsonObject, trs: Float64Array): void {
  delete node['matrix'];
  const put = (key: string, from: number, to: number, standard: (c: number) => number): void => {
    const list = numbers(trs, from, to);
    const isStandard = list.every((value, c) => value === standard(c));
    if (isStandard && memberAt(node, key) === undefined) return;
    node[key] = list;
  };
  put('translation', 0, 3, () => 0);
  put('rotation', 3, 7, (c) => (c === 3 ? 1 : 0));
  put('scale', 7, 10, () => 1);
}

/** A node that has a matrix, is no bone and only gets another parent frame keeps a matrix: shear is not lost. */
function changeMatrix(node: JsonObject, pointer: string, change: FrameChange): boolean {
  const matrix = numbersAt(node, 'matrix', pointer, MATRIX_STRIDE);
  if (matrix === undefined || !isNoTurn(change.axes, 0)) return false;
  const { rotation: r, scale: s, translation: t } = change;
  const left = new Float64Array(MATRIX_STRIDE);
  mat4.compose(left, 0, [t[0], t[1], t[2], r[0], r[1], r[2], r[3], s, s, s], 0);
  mat4.multiply(left, 0, left, 0, matrix, 0);
  node['matrix'] = numbers(left, 0, MATRIX_STRIDE);
  return true;
}

/** A name that no node has. */
export function freeName({ json }: GltfDocument, wanted: string): string {
  const taken = new Set(
    arrayAt(json, 'nodes', '').map((node) => (isObject(node) ? memberAt(node, 'name') : undefined)),
  );
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`;
  return name;
}

/** Puts a node in the place of others: as child of their parent and as root of their scenes. The first gives the place. */
function takePlace({ json }: GltfDocument, parent: number, olds: readonly number[], node: number): void {
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

/** Writes all transforms that change. `animated`: nodes that must not have a matrix. */
export function editNodes(doc: GltfDocument, frames: Frames, animated: ReadonlySet<number>): void {
  const { forest, rest, moved, changes, wraps } = frames;
  const trs = new Float64Array(POSE_STRIDE);
  for (let place = 0; place < forest.parents.length; place++) {
    const change = changes[place];
    const index = forest.sourceNodes[place];
    const node = listItem(doc.json, 'nodes', index);
    const isAnimated = animated.has(index) || moved[place] !== 0;
    if (isNoChange(change) && moved[place] === 0 && !(isAnimated && memberAt(node, 'matrix') !== undefined)) continue;
    if (wraps.has(place)) continue;
    if (!isAnimated && changeMatrix(node, `/nodes/${index}`, change)) continue;
    changeTransform(trs, 0, rest, POSE_STRIDE * place, change);
    quat.normalize(trs, 3, trs, 3);
    writeTransform(node, trs);
  }
}

/** Makes the new nodes of wrapped bones, in the order of their indices. */
export function makeWraps(doc: GltfDocument, { forest, rest, changes, wraps }: Frames): void {
  const trs = new Float64Array(POSE_STRIDE);
  for (const [place, { bone, node }] of wraps) {
    const old = forest.sourceNodes[place];
    const name = freeName(doc, bone);
    changeTransform(trs, 0, rest, POSE_STRIDE * place, changes[place]);
    quat.normalize(trs, 3, trs, 3);
    trs.fill(changes[place].scale, 7);
    const made: JsonObject = { name, children: [old] };
    writeTransform(made, trs);
    const list = growingList(doc.json, 'nodes');
    if (list.length !== node) throw new RangeError(`The new node of ${bone} is ${list.length}, expected ${node}`);
    list.push(made);
    const parent = forest.parents[place];
    takePlace(doc, parent < 0 ? -1 : forest.sourceNodes[parent], [old], node);
    const below = new Float64Array(POSE_STRIDE);
    quat.conjugate(below, 3, changes[place].axes, 0);
    below.set(rest.subarray(POSE_STRIDE * place + 7, POSE_STRIDE * (place + 1)), 7);
    writeTransform(listItem(doc.json, 'nodes', old), below);
  }
}

/** Makes the new root node, above the tops, with this matrix in world space. */
export function makeRoot(
  doc: GltfDocument,
  { forest, wraps }: Frames,
  root: RootPlan,
  matrix: Float64Array,
  name: string,
): void {
  const trs = new Float64Array(POSE_STRIDE);
  mat4.decompose(trs, 0, matrix, 0);
  const made: JsonObject = { name: freeName(doc, name), children: [] };
  const places = root.tops.map((node) => forest.places[node]);
  const parent = forest.parents[places[0]];
  // Where a bone was wrapped its new node hangs there by now.
  const children = root.tops.map((top, i) => wraps.get(places[i])?.node ?? top);
  writeTransform(made, trs);
  made['children'] = children;
  growingList(doc.json, 'nodes').push(made);
  takePlace(doc, parent < 0 ? -1 : forest.sourceNodes[parent], children, root.node);
}
