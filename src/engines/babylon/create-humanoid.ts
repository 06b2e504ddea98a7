import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Node } from '@babylonjs/core/node.js';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { MATRIX_STRIDE } from '../../core/skeleton/skeleton.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { findSceneHumanoid, type SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
import type { AnimatedCharacter, SceneMotion } from '../scene/retarget-motion.ts';
import type { Character } from '../scene/retargeter.ts';
import { clipForSkeleton } from '../scene/scene-graph.ts';
import { lazySurface, rigidMesh, type SceneMesh } from '../scene/scene-surface.ts';
import { mirrorMatrices, mirrorTranslation } from './handedness.ts';
import { readGroup } from './read-group.ts';
import { readScene } from './read-scene.ts';

function listHiding(mesh: AbstractMesh): Node[] {
  const hiding: Node[] = mesh.isVisible && mesh.visibility > 0 ? [] : [mesh];
  for (let above: Node | null = mesh; above !== null; above = above.parent) {
    if (!above.isEnabled(false)) hiding.push(above);
  }
  return [...new Set(hiding)];
}

/** Reads one mesh; null where it has no vertices or does not move with the nodes. */
function readMesh(
  mesh: AbstractMesh,
  indexOf: ReadonlyMap<TransformNode, number>,
  mirrored: boolean,
): SceneMesh | null {
  const data = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (data === null) return null;
  const positions = Float32Array.from(data);
  if (mirrored) for (let at = 0; at < positions.length; at += 3) mirrorTranslation(positions, at);
  const triangles = mesh.getIndices();
  const indices = mesh.getVerticesData(VertexBuffer.MatricesIndicesKind);
  const weights = mesh.getVerticesData(VertexBuffer.MatricesWeightsKind);
  if (mesh.skeleton === null || indices === null || weights === null) {
    const node = indexOf.get(mesh);
    if (node === undefined) return null;
    return rigidMesh({ positions, triangles, node, hiddenBy: listHiding(mesh) });
  }
  const { bones } = mesh.skeleton;
  const inverseBind = new Float64Array(MATRIX_STRIDE * bones.length);
  bones.forEach((bone, k) => {
    inverseBind.set(bone.getAbsoluteInverseBindMatrix().asArray(), MATRIX_STRIDE * k);
  });
  if (mirrored) mirrorMatrices(inverseBind);
  const joints = Int32Array.from(bones, (bone) => {
    const node = bone.getTransformNode();
    return node === null ? -1 : (indexOf.get(node) ?? -1);
  });
  return { positions, triangles, indices, weights, joints, inverseBind, node: -1, hiddenBy: listHiding(mesh) };
}

/** Reads the meshes that move with the nodes of a character. */
function readMeshes(root: TransformNode, nodes: readonly TransformNode[], mirrored: boolean): SceneMesh[] {
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  return root.getChildMeshes(false).flatMap((mesh) => readMesh(mesh, indexOf, mirrored) ?? []);
}

/** User-supplied facts about a character. Everything that is omitted is detected. */
type BabylonHumanoidOptions = SceneHumanoidOptions<TransformNode>;

/** A humanoid of Babylon.js, from {@link createHumanoid}. Reuse it for any number of groups. */
export interface BabylonHumanoid extends Character {
  /** The humanoid, right-handed as in the core, also when the nodes are left-handed. */
  readonly humanoid: Humanoid;
  /** The root. Its own transform positions the character in the scene and is ignored. */
  readonly root: TransformNode;
  /** The nodes, one per node of the humanoid's skeleton. */
  readonly nodes: readonly TransformNode[];
  /** Whether the nodes are left-handed: their transforms are those of the humanoid, mirrored along z. */
  readonly mirrored: boolean;
}

/** A character: a node with a humanoid at or below it, a skeleton, or a result of {@link createHumanoid}. */
export type BabylonCharacter = TransformNode | Skeleton | BabylonHumanoid;

/** Returns the humanoid that a file declares, as indices of the scene graph; null without a declaration. */
type Declare = (indexOf: ReadonlyMap<TransformNode, number>) => FileHumanoid | null;

function describe(
  root: TransformNode | Skeleton,
  options: BabylonHumanoidOptions,
  group: AnimationGroup | null,
  declare: Declare = () => null,
): { readonly character: BabylonHumanoid; readonly sourceNodes: Int32Array; readonly motion: SceneMotion | null } {
  const scene = readScene(root);
  const motion = group === null ? null : readGroup(group, scene);
  const { top, mirrored } = scene;
  const found = findSceneHumanoid(scene, options, motion?.clip ?? null, declare(scene.indexOf), (nodes) =>
    readMeshes(top, nodes, mirrored),
  );
  const { humanoid, nodes, sourceNodes, issues } = found;
  const describeSurface = lazySurface(humanoid, () => readMeshes(top, nodes, mirrored));
  return { character: { humanoid, root: top, nodes, mirrored, issues, describeSurface }, sourceNodes, motion };
}

/**
 * Creates the humanoid that a file declares. `declare` returns the declaration; it receives the index in the scene graph of each node. Throws
 * RangeError when the declaration is not a usable humanoid.
 */
export function createDeclaredHumanoid(root: TransformNode, declare: Declare): BabylonHumanoid {
  return describe(root, {}, null, declare).character;
}

/**
 * Creates the humanoid at or below a node, such as the `__root__` of a glTF: bones, reference pose, facing and size. Skinned bones have the rest and bind
 * matrices of their skeletons; all other nodes (a character without a skin, rigid parts, nodes between bones) have their current transform, so they must not be animated yet. The transform of
 * the root itself is ignored: it positions the character in the scene. Bones must be linked to transform nodes, as in glTF files.
 *
 * @param root A node or a skeleton.
 * @param options User-supplied facts about the character. `motion` is a group of it: without a skin and a T-pose at rest, its first frame can become the
 *   reference pose, and its feet show the ground where those of the rest pose are not on it, as in a BVH.
 * @returns The humanoid.
 * @throws RangeError when no skeleton is humanoid, when several are and none is selected, and for bones that do not exist.
 * @example
 * const hero = createHumanoid(container.rootNodes[0] as TransformNode);
 * const groups = walk.animationGroups.map((group) => retargetAnimationGroup(group, walkRoot, hero).group);
 */
export function createHumanoid(
  root: TransformNode | Skeleton,
  { motion, ...options }: BabylonHumanoidOptions & { readonly motion?: AnimationGroup } = {},
): BabylonHumanoid {
  return describe(root, options, motion ?? null).character;
}

/**
 * Returns the source character and its motion, a clip on nodes of its skeleton. Throws RangeError when the character is not one humanoid, and for
 * an additive group.
 */
export function resolveSource(
  source: BabylonCharacter,
  options: BabylonHumanoidOptions,
  group: AnimationGroup,
): AnimatedCharacter<BabylonHumanoid> {
  if ('humanoid' in source) {
    const indexOf = new Map(source.nodes.map((node, index) => [node, index]));
    return { character: source, ...readGroup(group, { indexOf, mirrored: source.mirrored }) };
  }
  const { character, sourceNodes, motion } = describe(source, options, group);
  const read = motion as SceneMotion;
  return { ...read, character, clip: clipForSkeleton(read.clip, sourceNodes) };
}

/** Returns the humanoid of a character. Throws RangeError when the character is not one humanoid. */
export function resolveTarget(target: BabylonCharacter, options: BabylonHumanoidOptions): BabylonHumanoid {
  return 'humanoid' in target ? target : createHumanoid(target, options);
}
