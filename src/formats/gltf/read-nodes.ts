/** The node tree of a document: glTF 2.0 section 3.5. */

import { FLOAT32_MAX } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { GltfDocument } from './document.ts';
import { arrayAt, indicesAt, type JsonObject, numbersAt, objectItem, stringAt } from './schema.ts';

/**
 * All nodes of a file, parents first: depth first from the roots, roots and children in the order of the file. What is
 * called a place here is an index in this order, so the functions of core/skeleton work on it.
 */
export interface NodeForest {
  /** Node of the file at each place. */
  readonly sourceNodes: Int32Array;
  /** Place of each node of the file. */
  readonly places: Int32Array;
  /** Place of the parent, −1 for a root. */
  readonly parents: Int32Array;
  /** The subtree of a place is what lies from it up to, without, its end. */
  readonly ends: Int32Array;
  readonly names: readonly string[];
  /** Local rest pose, {@link POSE_STRIDE} floats a place. */
  readonly rest: Float64Array;
}

/** A rotation whose length is off by more than this was not meant to be a unit quaternion; less is rounding. */
const UNIT_TOLERANCE = 1e-3;
const LAST_ROW = [0, 0, 0, 1] as const;

/**
 * Reads names, tree and rest pose of all nodes. Matrices are taken apart, rotations made unit. Nothing is recursive: a
 * chain may be as long as it likes. FormatError GLTF_NODE_TREE for cycles and nodes with two parents, GLTF_SCHEMA,
 * GLTF_REFERENCE. Adds an issue NODE_TRANSFORM_REPAIRED where a transform is no translation, rotation and scale.
 */
export function readNodes(doc: GltfDocument, issues: Issue[]): NodeForest {
  const nodes = arrayAt(doc.json, 'nodes', '');
  const children = nodes.map((_, node) => {
    return indicesAt(objectItem(nodes, node, '/nodes'), 'children', `/nodes/${node}`, doc.json, 'nodes');
  });
  const sourceParents = parentsOf(children);
  const { sourceNodes, ends } = depthFirst(sourceParents, children);
  const places = new Int32Array(nodes.length);
  sourceNodes.forEach((node, place) => {
    places[node] = place;
  });
  const names: string[] = [];
  const rest = new Float64Array(nodes.length * POSE_STRIDE);
  let mended = 0;
  let firstMended = '';
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[sourceNodes[place]] as JsonObject;
    const pointer = `/nodes/${sourceNodes[place]}`;
    names.push(stringAt(node, 'name', pointer) ?? '');
    if (readTransform(rest, place * POSE_STRIDE, node, pointer)) continue;
    if (mended++ === 0) firstMended = pointer;
  }
  if (mended > 0) {
    const message =
      `The transform of ${mended === 1 ? 'a node' : `${mended} nodes`} has shear or a rotation that is not of unit ` +
      'length; the nearest translation, rotation and scale are used';
    issues.push(issue('NODE_TRANSFORM_REPAIRED', message, { pointer: firstMended }));
  }
  const parents = Int32Array.from(sourceNodes, (node) => (sourceParents[node] < 0 ? -1 : places[sourceParents[node]]));
  return { sourceNodes, places, parents, ends, names, rest };
}

/** Parent of each node of the file, −1 for a root. FormatError GLTF_NODE_TREE where there are two. */
function parentsOf(children: readonly (readonly number[])[]): Int32Array {
  const parents = new Int32Array(children.length).fill(-1);
  children.forEach((list, parent) => {
    list.forEach((child, i) => {
      const other = parents[child];
      if (other >= 0) {
        const twice = other === parent ? `twice a child of node ${parent}` : `a child of nodes ${other} and ${parent}`;
        const message = `Node ${child} is ${twice}; a node has one parent at most`;
        throw new FormatError('GLTF_NODE_TREE', message, { pointer: `/nodes/${parent}/children/${i}` });
      }
      parents[child] = parent;
    });
  });
  return parents;
}

/** Nodes in depth-first order, and where the subtree of each ends. FormatError GLTF_NODE_TREE where there is a cycle. */
function depthFirst(
  parents: Int32Array,
  children: readonly (readonly number[])[],
): { sourceNodes: Int32Array; ends: Int32Array } {
  const sourceNodes = new Int32Array(parents.length);
  const ends = new Int32Array(parents.length);
  const placeOf = new Int32Array(parents.length).fill(-1);
  let count = 0;
  const stack: number[] = [];
  for (let root = 0; root < parents.length; root++) {
    if (parents[root] >= 0) continue;
    stack.push(root);
    while (stack.length > 0) {
      const node = stack.pop() as number;
      sourceNodes[count] = node;
      placeOf[node] = count++;
      const list = children[node];
      for (let i = list.length - 1; i >= 0; i--) stack.push(list[i]);
    }
  }
  if (count < parents.length) {
    // With one parent each, what no root reaches hangs on a cycle.
    const lost = placeOf.indexOf(-1);
    const message = `Node ${lost} is on a cycle of children or below one; nodes must form trees`;
    throw new FormatError('GLTF_NODE_TREE', message, { pointer: `/nodes/${lost}` });
  }
  for (let place = count - 1; place >= 0; place--) {
    ends[place] = Math.max(ends[place], place + 1);
    const parent = parents[sourceNodes[place]];
    if (parent >= 0) ends[placeOf[parent]] = Math.max(ends[placeOf[parent]], ends[place]);
  }
  return { sourceNodes, ends };
}

/** Ten floats of a node's local transform; false where they are not all of what the node says. */
function readTransform(out: Float64Array, o: number, node: JsonObject, pointer: string): boolean {
  const matrix = floatsAt(node, 'matrix', pointer, 16);
  if (matrix !== undefined) {
    const affine = LAST_ROW.every((value, column) => Math.abs(matrix[4 * column + 3] - value) <= 1e-6);
    return mat4.decompose(out, o, matrix, 0) && affine;
  }
  out.set(floatsAt(node, 'translation', pointer, 3) ?? [0, 0, 0], o);
  out.set(floatsAt(node, 'rotation', pointer, 4) ?? [0, 0, 0, 1], o + 3);
  out.set(floatsAt(node, 'scale', pointer, 3) ?? [1, 1, 1], o + 7);
  const length = quat.normalize(out, o + 3, out, o + 3);
  return Math.abs(length - 1) <= UNIT_TOLERANCE;
}

/** Numbers of a transform. FormatError GLTF_SCHEMA also where one is past float32, whose squares would overflow. */
function floatsAt(node: JsonObject, key: string, pointer: string, length: number): number[] | undefined {
  const numbers = numbersAt(node, key, pointer, length);
  const wrong = numbers?.find((value) => Math.abs(value) > FLOAT32_MAX);
  if (wrong === undefined) return numbers;
  const message = `${pointer}/${key} has ${wrong}, which is more than a float32 can hold`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/${key}` });
}
