/** What all instances of a Babylon.js model have in common for a BabylonMixer. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Bone } from '@babylonjs/core/Bones/bone.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { trimClip } from '../../../core/animation/trim-clip.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { PlayerClip } from '../../../playback/player/player-clip.ts';
import { instanceHips, plainNodes } from '../../scene/character/instance.ts';
import { planRig, planRigClip, type Rig, type RigOptions, type RigSkin } from '../../scene/character/rig.ts';
import type { BabylonHumanoid } from '../create-humanoid.ts';
import { mirrorMatrices } from '../handedness.ts';
import { readGroup } from '../read-group.ts';
import { type BabylonScene, readScene } from '../read-scene.ts';

/** A group of Babylon.js, planned for a model. */
export interface RigGroup {
  /** The planned transforms. */
  readonly planned: PlayerClip;
  /** Animated nodes without a bone: they are posed too. */
  readonly plainNodes: readonly number[];
}

/** A model that any number of {@link BabylonMixer}s animate. */
export interface BabylonRig {
  /** The node that the rig was created from. */
  readonly root: TransformNode;
  /**
   * The model on arrays.
   *
   * @internal
   */
  readonly rig: Rig;
  /**
   * Its scene graph.
   *
   * @internal
   */
  readonly scene: BabylonScene;
  /**
   * Planned groups, by the humanoid whose root motion is removed; null for none.
   *
   * @internal
   */
  readonly groups: Map<AnimationGroup, Map<BabylonHumanoid | null, RigGroup>>;
}

/** Lists the skeletons of the meshes of a scene, in the order of its nodes. */
export function skeletonsOf({ nodes }: Pick<BabylonScene, 'nodes'>): Map<BabylonSkeleton, AbstractMesh[]> {
  const skeletons = new Map<BabylonSkeleton, AbstractMesh[]>();
  for (const node of nodes as readonly (TransformNode & Partial<Pick<AbstractMesh, 'skeleton'>>)[]) {
    const { skeleton } = node;
    if (!skeleton) continue;
    const meshes = skeletons.get(skeleton);
    if (meshes === undefined) skeletons.set(skeleton, [node as AbstractMesh]);
    else meshes.push(node as AbstractMesh);
  }
  return skeletons;
}

/** Returns the joints of a skeleton in the order of its matrices. */
function readSkin({ bones }: BabylonSkeleton, { indexOf, mirrored }: BabylonScene): RigSkin {
  const byIndex: Bone[] = [];
  for (const bone of bones) if (bone.getIndex() >= 0) byIndex[bone.getIndex()] = bone;
  const inverseBind = new Float64Array(MATRIX_STRIDE * byIndex.length);
  const nodes = Int32Array.from(byIndex, (bone: Bone | undefined, joint) => {
    if (bone === undefined) return -1;
    inverseBind.set(bone.getAbsoluteInverseBindMatrix().asArray(), MATRIX_STRIDE * joint);
    return indexOf.get(bone.getTransformNode() as TransformNode) ?? -1;
  });
  if (mirrored) mirrorMatrices(inverseBind);
  return { nodes, inverseBind };
}

/**
 * Creates the rig of a model, once for all its instances. Create it before the model is animated.
 *
 * @param root The model: `__root__` of a glTF, or a node below or above it.
 * @param options Memory of the kernel.
 * @returns The rig.
 * @throws RangeError when a skeleton needs the pose of its mesh (`needInitialSkinMatrix`, in .babylon files), or its bones are not linked to nodes.
 * @example
 * const rig = createCharacterRig(container.rootNodes[0] as TransformNode);
 * const mixer = new BabylonMixer(rig.root, rig);
 */
export function createCharacterRig(root: TransformNode, options: RigOptions = {}): BabylonRig {
  const scene = readScene(root);
  const skeletons = [...skeletonsOf(scene).keys()];
  for (const { name, needInitialSkinMatrix, bones } of skeletons) {
    if (!needInitialSkinMatrix && bones.every((bone) => bone.getTransformNode() !== null)) continue;
    const reason = needInitialSkinMatrix ? 'needs the pose of its mesh' : 'has bones without a transform node';
    throw new RangeError(
      `createCharacterRig: the skeleton ${JSON.stringify(name)} ${reason}. Expected a skeleton of a glTF. Animate it with its AnimationGroup.`,
    );
  }
  const linked = new Set(skeletons.flatMap(({ bones }) => bones.map((bone) => bone.getTransformNode())));
  const { names, parents, rest, nodes } = scene;
  const joints = Uint8Array.from(nodes, (node) => (linked.has(node) ? 1 : 0));
  const skeleton = { name: scene.top.name, names, parents, rest, bind: null, joints };
  const skins = skeletons.map((one) => readSkin(one, scene));
  return { root: scene.top, rig: planRig(skeleton, skins, options.memory ?? null), scene, groups: new Map() };
}

/** Options of `animation` of a BabylonMixer. */
export interface BabylonAnimationOptions {
  /** Removes the root motion of this humanoid from the pose, and moves the root of the mixer by it. */
  readonly rootMotion?: BabylonHumanoid;
}

/** Plans a group for a model, once for all its instances. Throws RangeError when the humanoid of the root motion is that of another model. */
export function rigGroup(
  character: BabylonRig,
  instance: BabylonScene,
  group: AnimationGroup,
  { rootMotion }: BabylonAnimationOptions,
): RigGroup {
  const { rig, scene, groups } = character;
  const ofGroup = groups.get(group) ?? new Map<BabylonHumanoid | null, RigGroup>();
  const known = ofGroup.get(rootMotion ?? null);
  if (known !== undefined) return known;
  const isOfModel = group.targetedAnimations.some(({ target }) => scene.indexOf.has(target as TransformNode));
  const { clip } = readGroup(group, isOfModel ? scene : instance);
  // The range of the group counts, which may be shorter or longer than its keys.
  const fps = group.targetedAnimations[0]?.animation.framePerSecond ?? 60;
  const whole = { ...clip, duration: (group.to - Math.min(0, group.from)) / fps };
  const motion =
    rootMotion === undefined
      ? {}
      : { rootMotion: instanceHips(rootMotion.humanoid, rootMotion.nodes, [scene, instance]) };
  const planned = planRigClip(rig, group.from > 0 ? trimClip(whole, group.from / fps) : whole, motion);
  const made = { planned, plainNodes: plainNodes(rig, planned) };
  groups.set(group, ofGroup.set(rootMotion ?? null, made));
  return made;
}
