/** Characters of three.js as humanoids. */
import type { AnimationClip, Object3D } from 'three';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { chooseBody, type BodyOptions as SceneBodyOptions } from '../scene/choose-body.ts';
import type { Performer, SceneMotion } from '../scene/motion.ts';
import { clipOfSkeleton } from '../scene/scene-graph.ts';
import { movesRoot, readClip } from './read-clip.ts';
import { readScene } from './read-scene.ts';
import { declaredByVrm, isVrm, rigOfVrm, type VrmLike } from './vrm.ts';

/** What the caller says about a character; all is found where nothing is said. */
export type BodyOptions = SceneBodyOptions<Object3D>;

/** A humanoid of three.js. Made once by {@link humanoidOf}, it serves for any number of clips. */
export interface ThreeHumanoid {
  readonly humanoid: Humanoid;
  /** What an `AnimationMixer` is made of: track names are looked up from here. */
  readonly root: Object3D;
  /** The object of every node of the humanoid's skeleton. */
  readonly objects: readonly Object3D[];
  /** Objects of the skeleton whose own transform is no part of it: where the caller has put the character. */
  readonly placed: ReadonlySet<Object3D>;
  /** What was odd about it. */
  readonly issues: readonly Issue[];
}

/** What a character is given as: any object with a humanoid at or below it, a VRM of three-vrm, or what {@link humanoidOf} made of one. */
export type Character = Object3D | VrmLike | ThreeHumanoid;

/** Where a character is looked for. */
interface Place {
  /** What its mixer is made of. */
  readonly root: Object3D;
  /** What its bones are at and below. */
  readonly tree: Object3D;
  /** What is declared about it, nodes as indices of the scene graph. */
  readonly declare: (indexOf: ReadonlyMap<Object3D, number>) => FileHumanoid | null;
}

function placeOf(character: Object3D | VrmLike): Place {
  if (!isVrm(character)) return { root: character, tree: character, declare: () => null };
  const declare: Place['declare'] = (indexOf) => declaredByVrm(character, indexOf);
  return { root: character.scene, tree: rigOfVrm(character), declare };
}

function describe(
  { root, tree, declare }: Place,
  options: BodyOptions,
  motion: AnimationClip | null,
): { readonly body: ThreeHumanoid; readonly sourceNodes: Int32Array; readonly motion: SceneMotion | null } {
  const scene = readScene(tree, tree === root && motion !== null && movesRoot(motion, root));
  const read = motion === null ? null : readClip(motion, root, scene.indexOf);
  const found = chooseBody(scene, options, read?.clip ?? null, declare(scene.indexOf));
  const { humanoid, nodes, sourceNodes, issues } = found;
  return { body: { humanoid, root, objects: nodes, placed: scene.placed, issues }, sourceNodes, motion: read };
}

/** The humanoid that a file declares below a root. RangeError where it cannot be one. */
export function declaredHumanoidOf(root: Object3D, declare: Place['declare']): ThreeHumanoid {
  return describe({ root, tree: root, declare }, {}, null).body;
}

/**
 * The humanoid at or below an object: bones, reference pose, facing and size, from the transforms as they are now and from the inverse bind
 * matrices of its skinned meshes. Any loader's objects will do: a glTF scene, an FBX group, the root bone of a BVH, a skinned mesh. The
 * object's own transform does not count, unless it is a bone: it is where you have put the character. Call it before the character is
 * animated: what it shows now is taken for its rest.
 *
 * Of a VRM of three-vrm the bones and the pose are those that it declares. The rig is the one that three-vrm wants to be animated: the
 * normalized bones, or with `autoUpdateHumanBones` off the raw ones.
 *
 * `motion` is what it plays; a skeleton without a skin that does not rest in a T-pose may find its reference pose in the first frame.
 *
 * @throws RangeError with the reason where nothing there is humanoid, or several are; and for bones that are not there.
 */
export function humanoidOf(
  character: Object3D | VrmLike,
  { motion, ...options }: BodyOptions & { readonly motion?: AnimationClip } = {},
): ThreeHumanoid {
  return describe(placeOf(character), options, motion ?? null).body;
}

/** The character that plays a clip, and the clip on its skeleton. */
export function performerOf(source: Character, options: BodyOptions, clip: AnimationClip): Performer<ThreeHumanoid> {
  if ('objects' in source) {
    const indexOf = new Map(source.objects.map((object, index) => [object, index]));
    return { body: source, ...readClip(clip, source.root, indexOf) };
  }
  const { body, sourceNodes, motion } = describe(placeOf(source), options, clip);
  const read = motion as SceneMotion;
  return { ...read, body, clip: clipOfSkeleton(read.clip, sourceNodes) };
}

/** A character that a motion is for. */
export function targetOf(target: Character, options: BodyOptions): ThreeHumanoid {
  return 'objects' in target ? target : humanoidOf(target, options);
}
