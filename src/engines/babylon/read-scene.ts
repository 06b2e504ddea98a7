import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type SceneGraph, type SceneSkin, writeTransform } from '../scene/scene-graph.ts';
import { isGltfRoot, isLeftHanded, mirrorMatrices, mirrorPoses } from './handedness.ts';

/** Lists all transform nodes at and below a root, depth first. The loop avoids recursion, which deep hierarchies would overflow. */
function nodesBelow(root: TransformNode): TransformNode[] {
  const nodes: TransformNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    const children = node.getChildTransformNodes(true);
    for (let k = children.length - 1; k >= 0; k--) stack.push(children[k]);
  }
  return nodes;
}

const euler = new Quaternion();

export function readTransform(out: Float64Array, o: number, node: TransformNode): void {
  const { position, scaling, rotation } = node;
  const quaternion =
    node.rotationQuaternion ?? Quaternion.RotationYawPitchRollToRef(rotation.y, rotation.x, rotation.z, euler);
  writeTransform(out, o, position, quaternion, scaling);
}

function skeletonsAmong(nodes: readonly TransformNode[]): Set<Skeleton> {
  const skeletons = new Set<Skeleton>();
  for (const node of nodes as readonly (TransformNode & Partial<Pick<AbstractMesh, 'skeleton'>>)[]) {
    if (node.skeleton) skeletons.add(node.skeleton);
  }
  return skeletons;
}

const scaling = new Vector3();
const position = new Vector3();

/** Reads the rest transforms of joints from their bones. The nodes can be in another pose, after an animation. */
function readJointRest(rest: Float64Array, nodes: readonly TransformNode[], indexOf: BabylonScene['indexOf']): void {
  for (const { bones } of skeletonsAmong(nodes)) {
    for (const bone of bones) {
      const index = indexOf.get(bone.getTransformNode() as TransformNode);
      if (index === undefined || !bone.getRestMatrix().decompose(scaling, euler, position)) continue;
      const values = [...position.asArray(), ...euler.asArray(), ...scaling.asArray()];
      rest.set(values, index * POSE_STRIDE);
    }
  }
}

function readSkins(nodes: readonly TransformNode[], indexOf: ReadonlyMap<TransformNode, number>): SceneSkin[] {
  const skins: SceneSkin[] = [];
  for (const { name, bones } of skeletonsAmong(nodes)) {
    const boneIndices = new Map<number, number>();
    bones.forEach((bone, k) => {
      const node = bone.getTransformNode();
      const index = node === null ? undefined : indexOf.get(node);
      if (index !== undefined && !boneIndices.has(index)) boneIndices.set(index, k);
    });
    if (boneIndices.size === 0) continue;
    const inverseBind = new Float64Array(boneIndices.size * MATRIX_STRIDE);
    [...boneIndices.values()].forEach((k, joint) => {
      inverseBind.set(bones[k].getAbsoluteInverseBindMatrix().asArray(), joint * MATRIX_STRIDE);
    });
    // The loader detaches skinned meshes from their nodes and drops the transforms of these nodes.
    skins.push({ name, joints: Int32Array.from(boneIndices.keys()), inverseBind, meshes: [] });
  }
  return skins;
}

/** Returns the root of a skeleton: the glTF root above its bones, else the topmost node that has no other skeleton below. */
function rootOf(skeleton: Skeleton): TransformNode {
  const { name, bones } = skeleton;
  const first = bones.map((bone) => bone.getTransformNode()).find((node) => node !== null);
  if (first === undefined) {
    throw new RangeError(
      `The bones of the skeleton ${JSON.stringify(name)} are not linked to transform nodes; call linkTransformNode on each bone, as the glTF loader does`,
    );
  }
  const above = [first];
  for (let node = first.parent; node !== null; node = node.parent) above.push(node as TransformNode);
  const isOwn = (node: TransformNode): boolean =>
    [...skeletonsAmong(nodesBelow(node))].every((other) => other === skeleton);
  return above.find(isGltfRoot) ?? above.findLast(isOwn) ?? first;
}

/** Returns the only glTF root at or below a node, else the node itself. */
function topOf(root: TransformNode): TransformNode {
  if (isGltfRoot(root)) return root;
  const roots = nodesBelow(root).filter(isGltfRoot);
  if (roots.length > 1) {
    throw new RangeError(
      `There are ${roots.length} nodes __root__ of glTF files below ${JSON.stringify(root.name)}; pass one of them`,
    );
  }
  return roots[0] ?? root;
}

/** A scene graph of Babylon.js. */
export interface BabylonScene extends SceneGraph<TransformNode> {
  /** The root. Its own transform positions the character in the scene and counts as the identity. */
  readonly top: TransformNode;
  /** Index in the graph of each node. */
  readonly indexOf: ReadonlyMap<TransformNode, number>;
  /** Whether the nodes are left-handed: the arrays of the graph are mirrored along z. */
  readonly mirrored: boolean;
}

/**
 * Reads all nodes at and below a root, with the skins of skeletons whose bones are linked to transform nodes. The effective root is the glTF root
 * at or below a node, or above the bones of a skeleton. Transforms are relative to it. Throws RangeError for several glTF roots, and for a skeleton
 * without linked transform nodes.
 */
export function readScene(root: TransformNode | Skeleton): BabylonScene {
  const top = topOf('bones' in root ? rootOf(root) : root);
  const nodes = nodesBelow(top);
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const rest = new Float64Array(nodes.length * POSE_STRIDE);
  nodes.forEach((node, index) => {
    readTransform(rest, index * POSE_STRIDE, node);
  });
  readJointRest(rest, nodes, indexOf);
  rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], 0);
  const skins = readSkins(nodes, indexOf);
  const mirrored = isLeftHanded(top);
  if (mirrored) {
    mirrorPoses(rest);
    for (const { inverseBind } of skins) mirrorMatrices(inverseBind);
  }
  const parents = Int32Array.from(nodes, ({ parent }) => indexOf.get(parent as TransformNode) ?? -1);
  return { nodes, names: nodes.map(({ name }) => name), parents, rest, skins, top, indexOf, mirrored };
}
