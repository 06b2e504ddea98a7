/** Reads the node hierarchy of a document. glTF 2.0 section 3.5. */
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { limitRest } from '../../../core/skeleton/limit-rest.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, indicesAt, type JsonObject, numbersAt, objectItem, stringAt } from '../document/json-access.ts';

/**
 * All nodes of a file in depth-first order: parents before children, roots and children in the order of the file. A
 * "node" of the forest is an index in this order, as the functions of core/skeleton need it; a "source node" is the index
 * of a node in the file.
 */
export interface NodeForest {
  readonly sourceNodes: Int32Array;
  readonly nodesBySource: Int32Array;
  /** Parent of each node; −1 for a root. */
  readonly parents: Int32Array;
  /** End of the subtree of each node: it contains the nodes from `node` up to, but not including, `ends[node]`. */
  readonly ends: Int32Array;
  /** Name of each node; empty without a name. */
  readonly names: readonly string[];
  /** Local rest pose, {@link POSE_STRIDE} floats per node. */
  readonly rest: Float64Array;
}

/** Deviation from unit length above which a rotation is reported; smaller deviations are rounding errors. */
const UNIT_TOLERANCE = 1e-3;
const LAST_ROW = [0, 0, 0, 1] as const;

/**
 * Reads names, hierarchy and rest pose of all nodes. Matrices are decomposed and rotations normalized. The hierarchy may be arbitrarily deep.
 * `issues` receives NODE_TRANSFORM_REPAIRED for transforms with shear or a rotation that is not a unit quaternion, and NUMBERS_OUT_OF_RANGE. Throws
 * FormatError GLTF_NODE_TREE for cycles and nodes with two parents; GLTF_SCHEMA, GLTF_REFERENCE.
 */
export function readNodes(doc: GltfDocument, issues: Issue[]): NodeForest {
  const nodes = arrayAt(doc.json, 'nodes', '');
  const children = nodes.map((_, node) => {
    return indicesAt(objectItem(nodes, node, '/nodes'), 'children', `/nodes/${node}`, doc.json, 'nodes');
  });
  const sourceParents = parentsOf(children);
  const { sourceNodes, ends } = depthFirst(sourceParents, children);
  const nodesBySource = new Int32Array(nodes.length);
  sourceNodes.forEach((sourceNode, node) => {
    nodesBySource[sourceNode] = node;
  });
  const names: string[] = [];
  const rest = new Float64Array(nodes.length * POSE_STRIDE);
  let repaired = 0;
  let firstRepaired = '';
  for (let node = 0; node < nodes.length; node++) {
    const json = nodes[sourceNodes[node]] as JsonObject;
    const pointer = `/nodes/${sourceNodes[node]}`;
    names.push(stringAt(json, 'name', pointer) ?? '');
    if (readTransform(rest, node * POSE_STRIDE, json, pointer)) continue;
    if (repaired++ === 0) firstRepaired = pointer;
  }
  if (repaired > 0) {
    const message =
      `The ${repaired === 1 ? 'transform of a node has' : `transforms of ${repaired} nodes have`} shear or a rotation ` +
      'that is not a unit quaternion; the nearest translation, rotation and scale were used';
    issues.push(issue('NODE_TRANSFORM_REPAIRED', message, { pointer: firstRepaired }));
  }
  const parents = Int32Array.from(sourceNodes, (sourceNode) => {
    const parent = sourceParents[sourceNode];
    return parent < 0 ? -1 : nodesBySource[parent];
  });
  issues.push(...limitRest(parents, rest, names));
  return { sourceNodes, nodesBySource, parents, ends, names, rest };
}

/** Parent of each source node; −1 for a root. FormatError GLTF_NODE_TREE for a node with two parents. */
function parentsOf(children: readonly (readonly number[])[]): Int32Array {
  const parents = new Int32Array(children.length).fill(-1);
  children.forEach((list, parent) => {
    list.forEach((child, i) => {
      const other = parents[child];
      if (other >= 0) {
        const twice = other === parent ? `twice a child of node ${parent}` : `a child of nodes ${other} and ${parent}`;
        const message = `Node ${child} is ${twice}, but a node must have at most one parent`;
        throw new FormatError('GLTF_NODE_TREE', message, { pointer: `/nodes/${parent}/children/${i}` });
      }
      parents[child] = parent;
    });
  });
  return parents;
}

/** Sorts the nodes depth first and finds the end of each subtree. FormatError GLTF_NODE_TREE for a cycle. */
function depthFirst(
  parents: Int32Array,
  children: readonly (readonly number[])[],
): { sourceNodes: Int32Array; ends: Int32Array } {
  const sourceNodes = new Int32Array(parents.length);
  const ends = new Int32Array(parents.length);
  const nodesBySource = new Int32Array(parents.length).fill(-1);
  let count = 0;
  const stack: number[] = [];
  for (let root = 0; root < parents.length; root++) {
    if (parents[root] >= 0) continue;
    stack.push(root);
    while (stack.length > 0) {
      const sourceNode = stack.pop() as number;
      sourceNodes[count] = sourceNode;
      nodesBySource[sourceNode] = count++;
      const list = children[sourceNode];
      for (let i = list.length - 1; i >= 0; i--) stack.push(list[i]);
    }
  }
  if (count < parents.length) {
    // Each node has at most one parent, so a node that no root reaches is on a cycle or below one.
    const lost = nodesBySource.indexOf(-1);
    const message = `Node ${lost} is part of a cycle of children or below one, but nodes must form trees`;
    throw new FormatError('GLTF_NODE_TREE', message, { pointer: `/nodes/${lost}` });
  }
  for (let node = count - 1; node >= 0; node--) {
    ends[node] = Math.max(ends[node], node + 1);
    const parent = parents[sourceNodes[node]];
    if (parent >= 0) ends[nodesBySource[parent]] = Math.max(ends[nodesBySource[parent]], ends[node]);
  }
  return { sourceNodes, ends };
}

const NO_TRANSLATION = [0, 0, 0] as const;
const NO_ROTATION = [0, 0, 0, 1] as const;
const NO_SCALE = [1, 1, 1] as const;

/** Copies numbers one by one: `set` of a typed array takes five times as long for so few numbers. */
function writeVector(out: Float64Array, o: number, numbers: readonly number[]): void {
  for (let c = 0; c < numbers.length; c++) out[o + c] = numbers[c];
}

/** Writes the local transform of a node, {@link POSE_STRIDE} floats. Returns false if they do not express it exactly. */
function readTransform(out: Float64Array, o: number, node: JsonObject, pointer: string): boolean {
  const matrix = floatsAt(node, 'matrix', pointer, 16);
  if (matrix !== undefined) {
    const affine = LAST_ROW.every((value, column) => Math.abs(matrix[4 * column + 3] - value) <= 1e-6);
    return mat4.decompose(out, o, matrix, 0) && affine;
  }
  const r = o + PATH_OFFSET.rotation;
  writeVector(out, o, floatsAt(node, 'translation', pointer, 3) ?? NO_TRANSLATION);
  writeVector(out, r, floatsAt(node, 'rotation', pointer, 4) ?? NO_ROTATION);
  writeVector(out, o + PATH_OFFSET.scale, floatsAt(node, 'scale', pointer, 3) ?? NO_SCALE);
  const length = quat.normalize(out, r, out, r);
  return Math.abs(length - 1) <= UNIT_TOLERANCE;
}

/** Numbers of a transform. FormatError GLTF_SCHEMA also for numbers beyond float32, whose squares would overflow. */
function floatsAt(node: JsonObject, key: string, pointer: string, length: number): number[] | undefined {
  const numbers = numbersAt(node, key, pointer, length);
  const wrong = numbers?.find((value) => Math.abs(value) > FLOAT32_MAX);
  if (wrong === undefined) return numbers;
  const message = `${pointer}/${key} contains ${wrong}, which is beyond the range of float32; the file is damaged`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/${key}` });
}
