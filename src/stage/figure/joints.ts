/** The joints of a figure that its caller does not describe: those of the skins, or all nodes of a file without skins. */
import type { StageJoints } from '../contract.ts';
import type { GltfJson } from './gltf-json.ts';

function parentsOf({ nodes = [] }: GltfJson): Int32Array {
  const parents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach(({ children = [] }, node) => {
    for (const child of children) parents[child] = node;
  });
  return parents;
}

export function jointsOf(json: GltfJson): StageJoints {
  const { nodes = [], skins = [] } = json;
  const parents = parentsOf(json);
  const all = [...nodes.keys()];
  const chosen = skins.length > 0 ? new Set(skins.flatMap(({ joints }) => joints)) : new Set(all);
  const listed = all.filter((node) => chosen.has(node) && nodes[node].mesh === undefined);
  const indexOf = new Map(listed.map((node, index) => [node, index]));
  const parentJoint = (node: number): number => {
    let above = parents[node];
    // Steps are counted, since the nodes of an invalid file may form a cycle.
    for (let step = 0; above >= 0 && step < nodes.length; step++) {
      const index = indexOf.get(above);
      if (index !== undefined) return index;
      above = parents[above];
    }
    return -1;
  };
  return {
    nodes: listed,
    parents: listed.map(parentJoint),
    names: listed.map((node) => nodes[node].name ?? `node ${node}`),
  };
}

export function centerOf({ nodes, parents }: StageJoints): number {
  const children = new Int32Array(nodes.length);
  for (let joint = 0; joint < nodes.length; joint++) if (parents[joint] >= 0) children[parents[joint]]++;
  const branching = children.findIndex((count) => count > 2);
  return nodes[Math.max(branching, 0)] ?? -1;
}
