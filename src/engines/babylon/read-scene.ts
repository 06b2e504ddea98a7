/** Nodes of Babylon.js as a scene graph. */
import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { SceneGraph, SceneSkin } from '../scene/scene-graph.ts';
import { GLTF_ROOT, isLeftHanded, mirrorMatrices, mirrorPoses } from './handedness.ts';

/** All transform nodes at and below a root, depth first. Not recursive: a chain may be as long as it likes. */
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

/** Ten floats of the local transform of a node. */
export function readTransform(out: Float64Array, o: number, node: TransformNode): void {
  const { position, scaling, rotation } = node;
  const turn =
    node.rotationQuaternion ?? Quaternion.RotationYawPitchRollToRef(rotation.y, rotation.x, rotation.z, euler);
  out[o] = position.x;
  out[o + 1] = position.y;
  out[o + 2] = position.z;
  out[o + 3] = turn.x;
  out[o + 4] = turn.y;
  out[o + 5] = turn.z;
  out[o + 6] = turn.w;
  out[o + 7] = scaling.x;
  out[o + 8] = scaling.y;
  out[o + 9] = scaling.z;
}

/** Skeletons of the meshes among the nodes. */
function skeletonsAmong(nodes: readonly TransformNode[]): Set<Skeleton> {
  const skeletons = new Set<Skeleton>();
  for (const node of nodes as readonly (TransformNode & Partial<Pick<AbstractMesh, 'skeleton'>>)[]) {
    if (node.skeleton) skeletons.add(node.skeleton);
  }
  return skeletons;
}

const scaling = new Vector3();
const position = new Vector3();

/** Puts in the rest of joints, which their bones know: groups may have moved the nodes since they were loaded. */
function readRestOfJoints(rest: Float64Array, nodes: readonly TransformNode[], indexOf: BabylonScene['indexOf']): void {
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
    const places = new Map<number, number>();
    bones.forEach((bone, k) => {
      const node = bone.getTransformNode();
      const index = node === null ? undefined : indexOf.get(node);
      if (index !== undefined && !places.has(index)) places.set(index, k);
    });
    if (places.size === 0) continue;
    const inverseBind = new Float64Array(places.size * MATRIX_STRIDE);
    [...places.values()].forEach((k, joint) => {
      inverseBind.set(bones[k].getAbsoluteInverseBindMatrix().asArray(), joint * MATRIX_STRIDE);
    });
    // The loader takes skinned meshes away from their nodes and forgets the transforms of these.
    skins.push({ name, joints: Int32Array.from(places.keys()), inverseBind, meshes: [] });
  }
  return skins;
}

/** The node that a skeleton belongs to: the glTF root, else the topmost node, above its bones. */
function rootOf({ name, bones }: Skeleton): TransformNode {
  const first = bones.map((bone) => bone.getTransformNode()).find((node) => node !== null);
  if (first === undefined) {
    throw new RangeError(
      `The bones of the skeleton ${JSON.stringify(name)} move no transform nodes, as those of glTF files do`,
    );
  }
  let root = first;
  while (root.parent !== null && root.name !== GLTF_ROOT) root = root.parent as TransformNode;
  return root;
}

/** The one glTF root at or below a node, else the node itself. */
function topOf(root: TransformNode): TransformNode {
  if (root.name === GLTF_ROOT) return root;
  const roots = nodesBelow(root).filter(({ name }) => name === GLTF_ROOT);
  if (roots.length > 1) {
    throw new RangeError(
      `There are ${roots.length} nodes ${GLTF_ROOT} of glTF files below ${root.name}; give one of them`,
    );
  }
  return roots[0] ?? root;
}

/** A scene graph of Babylon.js. */
export interface BabylonScene extends SceneGraph<TransformNode> {
  /** The node whose own transform counts as the identity: where the caller has put the character. */
  readonly top: TransformNode;
  readonly indexOf: ReadonlyMap<TransformNode, number>;
  /** Whether transforms of the nodes are mirrored along z: they are left-handed. */
  readonly mirrored: boolean;
}

/**
 * All nodes at and below a root (below the glTF root where there is one; for a skeleton the one that it is below), with skins out of skeletons whose
 * bones move transform nodes. The space of the body is that inside the root.
 */
export function readScene(root: TransformNode | Skeleton): BabylonScene {
  const top = topOf('bones' in root ? rootOf(root) : root);
  const nodes = nodesBelow(top);
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const rest = new Float64Array(nodes.length * POSE_STRIDE);
  nodes.forEach((node, index) => {
    readTransform(rest, index * POSE_STRIDE, node);
  });
  readRestOfJoints(rest, nodes, indexOf);
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
