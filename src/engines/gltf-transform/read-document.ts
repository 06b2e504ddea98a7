/** Reads a glTF-Transform document as a scene graph. */
import type { Document, Node, Skin } from '@gltf-transform/core';
import { BONE, BONE_COUNT } from '../../core/humanoid/bones.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import type { SceneGraph, SceneSkin } from '../scene/scene-graph.ts';
import type { HumanoidSkeleton, HumanoidSkeletons } from './ext-skeleton-humanoid.ts';

interface DocumentGraph extends SceneGraph<Node> {
  readonly indexOf: ReadonlyMap<Node, number>;
}

/** Lists all nodes, depth first from the root nodes in document order. The loop avoids recursion, which deep hierarchies would overflow. */
function depthFirst(document: Document): Node[] {
  const nodes: Node[] = [];
  const roots = document
    .getRoot()
    .listNodes()
    .filter((node) => node.getParentNode() === null);
  const stack = roots.reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    stack.push(...node.listChildren().reverse());
  }
  return nodes;
}

function readSkin(skin: Skin, indexOf: ReadonlyMap<Node, number>, meshes: readonly number[]): SceneSkin {
  const joints = skin.listJoints().flatMap((joint, k) => {
    const node = indexOf.get(joint);
    return node === undefined ? [] : [{ node, k }];
  });
  const accessor = skin.getInverseBindMatrices();
  const hasAll = accessor !== null && accessor.getCount() >= joints.length;
  const inverseBind = new Float64Array(hasAll ? MATRIX_STRIDE * joints.length : 0);
  const matrix: number[] = [];
  if (hasAll)
    joints.forEach(({ k }, joint) => void inverseBind.set(accessor.getElement(k, matrix), MATRIX_STRIDE * joint));
  return { name: skin.getName(), joints: Int32Array.from(joints, ({ node }) => node), inverseBind, meshes };
}

/** Reads the nodes and skins of a document. Returns the scene graph, with local transforms of the nodes as rest pose. */
export function readDocument(document: Document): DocumentGraph {
  const nodes = depthFirst(document);
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const rest = new Float64Array(POSE_STRIDE * nodes.length);
  nodes.forEach((node, index) => {
    const at = POSE_STRIDE * index;
    rest.set(node.getTranslation(), at);
    rest.set(node.getRotation(), at + PATH_OFFSET.rotation);
    rest.set(node.getScale(), at + PATH_OFFSET.scale);
  });
  const skins = document
    .getRoot()
    .listSkins()
    .filter((skin) => skin.listJoints().length > 0)
    .map((skin) => {
      const meshes = nodes.flatMap((node, index) => (node.getSkin() === skin ? [index] : []));
      return readSkin(skin, indexOf, meshes);
    });
  return {
    nodes,
    names: nodes.map((node) => node.getName()),
    parents: Int32Array.from(nodes, (node) => {
      const parent = node.getParentNode();
      return parent === null ? -1 : (indexOf.get(parent) as number);
    }),
    rest,
    skins,
    indexOf,
  };
}

export function definedHumanoids(document: Document, { indexOf }: DocumentGraph): FileHumanoid[] {
  const list = document.getRoot().getExtension<HumanoidSkeletons>('EXT_skeleton_humanoid')?.listSkeletons() ?? [];
  return list.map((skeleton: HumanoidSkeleton): FileHumanoid => {
    const nodes = new Int32Array(BONE_COUNT).fill(-1);
    for (const bone of skeleton.listBones()) nodes[BONE[bone]] = indexOf.get(skeleton.getBone(bone) as Node) ?? -1;
    const root = skeleton.getRootNode();
    return { format: 'ext', facing: '+Z', title: '', nodes, rootNode: root === null ? -1 : (indexOf.get(root) ?? -1) };
  });
}
