/** Reads the nodes that a scene shows. glTF 2.0 section 3.5.1. */
import { POSE_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import type { GltfDocument } from '../document/document.ts';
import { arrayAt, indexAt, indicesAt, objectItem, stringAt } from '../document/json-access.ts';
import { type NodeForest, readNodes } from './read-nodes.ts';

/** Nodes of a scene, parents first. A "source node" is the index of a node in the file. */
export interface SceneNodes {
  /** Name of the scene; empty without a name. */
  readonly name: string;
  /** Name of each node; empty without a name. */
  readonly names: readonly string[];
  /** Parent of each node; −1 for a root. */
  readonly parents: Int32Array;
  /** Local rest pose, {@link POSE_STRIDE} floats per node. */
  readonly rest: Skeleton['rest'];
  readonly sourceNodes: Int32Array;
  /** Node of each source node; −1 for source nodes that are not part of the scene. */
  readonly nodesBySource: Int32Array;
  /** 1 for nodes that the scene shows; the other nodes are in the trees of joints. */
  readonly shown: Uint8Array;
}

/**
 * Reads the node trees of the default scene (`scene`, else the first scene, else all trees) and the trees with joints of its skins. Issues of the
 * nodes are not collected: `readGltf` reports them. Throws FormatError GLTF_NODE_TREE, GLTF_SCHEMA, GLTF_REFERENCE.
 */
export function readSceneNodes(doc: GltfDocument): SceneNodes {
  const forest = readNodes(doc, []);
  const { parents, ends, nodesBySource } = forest;
  const scenes = arrayAt(doc.json, 'scenes', '');
  const index = indexAt(doc.json, 'scene', '', doc.json, 'scenes') ?? 0;
  const scene = scenes.length === 0 ? null : objectItem(scenes, index, '/scenes');
  const pointer = `/scenes/${index}`;
  const name = scene === null ? '' : (stringAt(scene, 'name', pointer) ?? '');
  /** Per node, the state of its tree: 1 contains joints of a skin, 2 is shown. */
  const marks = new Uint8Array(parents.length);
  const roots = new Int32Array(parents.length);
  parents.forEach((parent, node) => {
    roots[node] = parent < 0 ? node : roots[parent];
  });
  const mark = (node: number, value: number): void => {
    const root = roots[node];
    if (marks[root] < value) marks.fill(value, root, ends[root]);
  };
  if (scene === null) marks.fill(2);
  else for (const node of indicesAt(scene, 'nodes', pointer, doc.json, 'nodes')) mark(nodesBySource[node], 2);
  if (marks.includes(0)) markJoints(doc, forest, marks, mark);
  return keptNodes(forest, marks, name);
}

function markJoints(
  doc: GltfDocument,
  { sourceNodes, nodesBySource }: NodeForest,
  marks: Uint8Array,
  mark: (node: number, value: number) => void,
): void {
  const nodes = arrayAt(doc.json, 'nodes', '');
  const skins = arrayAt(doc.json, 'skins', '');
  const seen = new Set<number>();
  for (let node = 0; node < sourceNodes.length; node++) {
    if (marks[node] < 2) continue;
    const pointer = `/nodes/${sourceNodes[node]}`;
    const skin = indexAt(objectItem(nodes, sourceNodes[node], '/nodes'), 'skin', pointer, doc.json, 'skins');
    if (skin === undefined || seen.has(skin)) continue;
    seen.add(skin);
    const joints = indicesAt(objectItem(skins, skin, '/skins'), 'joints', `/skins/${skin}`, doc.json, 'nodes');
    for (const joint of joints) if (marks[nodesBySource[joint]] === 0) mark(nodesBySource[joint], 1);
  }
}

function keptNodes(forest: NodeForest, marks: Uint8Array, name: string): SceneNodes {
  const { names, parents, rest, sourceNodes, nodesBySource } = forest;
  if (!marks.includes(0)) {
    return {
      name,
      names,
      parents,
      rest,
      sourceNodes,
      nodesBySource,
      shown: marks.map((value) => (value === 2 ? 1 : 0)),
    };
  }
  const kept = Int32Array.from(parents.keys()).filter((node) => marks[node] > 0);
  const keptIndex = new Int32Array(parents.length).fill(-1);
  kept.forEach((node, i) => {
    keptIndex[node] = i;
  });
  const poses = new Float64Array(kept.length * POSE_STRIDE);
  kept.forEach((node, i) => {
    poses.set(rest.subarray(node * POSE_STRIDE, (node + 1) * POSE_STRIDE), i * POSE_STRIDE);
  });
  return {
    name,
    names: Array.from(kept, (node) => names[node]),
    parents: kept.map((node) => (parents[node] < 0 ? -1 : keptIndex[parents[node]])),
    rest: poses,
    sourceNodes: kept.map((node) => sourceNodes[node]),
    nodesBySource: nodesBySource.map((node) => keptIndex[node]),
    shown: Uint8Array.from(kept, (node) => (marks[node] === 2 ? 1 : 0)),
  };
}
