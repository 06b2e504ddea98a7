import type { AnimationClip, Object3D } from 'three';
import { straightenLike, withDeclaredPose } from '../../core/humanoid/declared-pose.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { findSceneHumanoid, type SceneHumanoidOptions } from '../scene/find-scene-humanoid.ts';
import type { AnimatedCharacter, SceneMotion } from '../scene/retarget-motion.ts';
import type { Character } from '../scene/retargeter.ts';
import { clipForSkeleton } from '../scene/scene-graph.ts';
import { lazySurface } from '../scene/scene-surface.ts';
import { movesRoot, readClip } from './read-clip.ts';
import { readMeshes, type StandIn } from './read-meshes.ts';
import { readScene } from './read-scene.ts';
import { isVrm, readVrmDeclaration, readVrmStandIns, type VrmLike } from './vrm.ts';

/** User-supplied facts about a character. Everything that is omitted is detected. */
type ThreeHumanoidOptions = SceneHumanoidOptions<Object3D>;

/** A humanoid of three.js, from {@link createHumanoid}. Reuse it for any number of clips. */
export interface ThreeHumanoid extends Character {
  /** The root for an `AnimationMixer`: track names are resolved from it. */
  readonly root: Object3D;
  /** The objects, one per node of the humanoid's skeleton. */
  readonly objects: readonly Object3D[];
  /** Roots whose own transform positions the character in the scene and is ignored. */
  readonly ignoredRoots: ReadonlySet<Object3D>;
}

/** A character: any object with a humanoid at or below it, a VRM of three-vrm, or a result of {@link createHumanoid}. */
export type ThreeCharacter = Object3D | VrmLike | ThreeHumanoid;

interface CharacterRig {
  readonly root: Object3D;
  /** The root of its bones. */
  readonly tree: Object3D;
  /** Returns the humanoid that the file declares, as indices of the scene graph; null without a declaration. */
  readonly declare: (indexOf: ReadonlyMap<Object3D, number>) => FileHumanoid | null;
  /** The raw bones of a VRM whose normalized bones are animated; null otherwise. */
  readonly raw: CharacterRig | null;
  /** What the rig has instead of objects that move meshes. */
  readonly standIns: ReadonlyMap<Object3D, StandIn>;
}

/** Returns the rig of an object whose own bones are animated. */
function wholeRig(root: Object3D, declare: CharacterRig['declare']): CharacterRig {
  return { root, tree: root, declare, raw: null, standIns: new Map() };
}

function rigOf(character: Object3D | VrmLike): CharacterRig {
  if (!isVrm(character)) return wholeRig(character, () => null);
  const { scene, humanoid } = character;
  const raw = wholeRig(scene, (indexOf) => readVrmDeclaration(character, 'raw', indexOf));
  if (!humanoid.autoUpdateHumanBones) return raw;
  const declare: CharacterRig['declare'] = (indexOf) => readVrmDeclaration(character, 'normalized', indexOf);
  const standIns = readVrmStandIns(character);
  return { root: scene, tree: humanoid.normalizedHumanBonesRoot, declare, raw, standIns };
}

/**
 * Straightens the declared pose of normalized bones like that of the raw bones, which have the tips of the fingers. Both rigs then show the same
 * motion.
 */
function straightenLikeRaw(humanoid: Humanoid, raw: CharacterRig | null, options: ThreeHumanoidOptions): Humanoid {
  const isDeclared = humanoid.map.from === 'vrm0' || humanoid.map.from === 'vrm1';
  if (raw === null || !isDeclared || (options.pose ?? 'auto') !== 'auto') return humanoid;
  const units = options.metersPerUnit === undefined ? {} : { metersPerUnit: options.metersPerUnit };
  const other = describe(raw, units, null).character.humanoid;
  return straightenLike(withDeclaredPose(humanoid), other, humanoid.map.from as 'vrm0' | 'vrm1');
}

function describe(
  { root, tree, declare, raw, standIns }: CharacterRig,
  options: ThreeHumanoidOptions,
  motion: AnimationClip | null,
): { readonly character: ThreeHumanoid; readonly sourceNodes: Int32Array; readonly motion: SceneMotion | null } {
  const scene = readScene(tree, tree === root && motion !== null && movesRoot(motion, root));
  const read = motion === null ? null : readClip(motion, root, scene.indexOf);
  const found = findSceneHumanoid(scene, options, read?.clip ?? null, declare(scene.indexOf), (nodes) =>
    readMeshes(root, nodes, standIns),
  );
  const { nodes, sourceNodes, issues } = found;
  const humanoid = straightenLikeRaw(found.humanoid, raw, options);
  return {
    character: {
      humanoid,
      root,
      objects: nodes,
      ignoredRoots: scene.ignoredRoots,
      issues,
      describeSurface: lazySurface(humanoid, () => readMeshes(root, nodes, standIns)),
    },
    sourceNodes,
    motion: read,
  };
}

/**
 * Creates the humanoid that a file declares. `declare` returns the declaration; it receives the index in the scene graph of each object. Throws
 * RangeError when the declaration is not a usable humanoid.
 */
export function createDeclaredHumanoid(root: Object3D, declare: CharacterRig['declare']): ThreeHumanoid {
  return describe(wholeRig(root, declare), {}, null).character;
}

/**
 * Creates the humanoid at or below an object: bones, reference pose, facing and size. It reads the current transforms and the inverse bind matrices
 * of skinned meshes, so call it before the character is animated: the current pose is used as the rest pose. Objects of any loader work: a glTF scene,
 * an FBX group, the root bone of a BVH, a skinned mesh. The transform of the object itself is ignored, unless it is a bone: it positions the character
 * in the scene.
 *
 * For a VRM of three-vrm, the declared bones and pose are used, straightened where the pose is not quite a T-pose. The rig is the one that three-vrm expects to be animated: the normalized bones, or the
 * raw bones with `autoUpdateHumanBones` off.
 *
 * @param character An object or a VRM.
 * @param options User-supplied facts about the character. `motion` is a clip of it: without a skin and a T-pose at rest, its first frame can become the
 *   reference pose, and its feet show the ground where those of the rest pose are not on it, as in a BVH.
 * @returns The humanoid.
 * @throws RangeError when no skeleton is humanoid, when several are and none is selected, and for bones that do not exist.
 * @example
 * const hero = createHumanoid(gltf.scene);
 * const clips = walk.animations.map((clip) => retargetAnimationClip(clip, walk.scene, hero).clip);
 */
export function createHumanoid(
  character: Object3D | VrmLike,
  { motion, ...options }: ThreeHumanoidOptions & { readonly motion?: AnimationClip } = {},
): ThreeHumanoid {
  return describe(rigOf(character), options, motion ?? null).character;
}

/**
 * Returns the source character and its clip, on nodes of its skeleton. Throws RangeError when the character is not one humanoid, and for an
 * additive clip.
 */
export function resolveSource(
  source: ThreeCharacter,
  options: ThreeHumanoidOptions,
  clip: AnimationClip,
): AnimatedCharacter<ThreeHumanoid> {
  if ('objects' in source) {
    const indexOf = new Map(source.objects.map((object, index) => [object, index]));
    return { character: source, ...readClip(clip, source.root, indexOf) };
  }
  const { character, sourceNodes, motion } = describe(rigOf(source), options, clip);
  const read = motion as SceneMotion;
  return { ...read, character, clip: clipForSkeleton(read.clip, sourceNodes) };
}

/** Returns the humanoid of a character. Throws RangeError when the character is not one humanoid. */
export function resolveTarget(target: ThreeCharacter, options: ThreeHumanoidOptions): ThreeHumanoid {
  return 'objects' in target ? target : createHumanoid(target, options);
}
