/** Characters of Babylon.js as humanoids. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { FileHumanoid } from '../../formats/gltf/extensions/human-bones.ts';
import { chooseBody, type BodyOptions as SceneBodyOptions } from '../scene/choose-body.ts';
import type { Performer, SceneMotion } from '../scene/motion.ts';
import { clipOfSkeleton } from '../scene/scene-graph.ts';
import { readGroup } from './read-group.ts';
import { readScene } from './read-scene.ts';

/** What the caller says about a character; all is found where nothing is said. */
export type BodyOptions = SceneBodyOptions<TransformNode>;

/** A humanoid of Babylon.js. Made once by {@link humanoidOf}, it serves for any number of groups. */
export interface BabylonHumanoid {
  /** Right-handed, as the core has it, also where the nodes are not. */
  readonly humanoid: Humanoid;
  /** The node whose own transform is no part of the character: where the caller has put it. */
  readonly root: TransformNode;
  /** The node of every node of the humanoid's skeleton. */
  readonly nodes: readonly TransformNode[];
  /** Whether the nodes are left-handed: their transforms are those of the humanoid mirrored along z. */
  readonly mirrored: boolean;
  /** What was odd about it. */
  readonly issues: readonly Issue[];
}

/** What a character is given as: a node with a humanoid at or below it, a skeleton, or what {@link humanoidOf} made of one. */
export type Character = TransformNode | Skeleton | BabylonHumanoid;

/** What a file declares about a character, nodes as indices of the scene graph. */
type Declare = (indexOf: ReadonlyMap<TransformNode, number>) => FileHumanoid | null;

function describe(
  root: TransformNode | Skeleton,
  options: BodyOptions,
  group: AnimationGroup | null,
  declare: Declare = () => null,
): { readonly body: BabylonHumanoid; readonly sourceNodes: Int32Array; readonly motion: SceneMotion | null } {
  const scene = readScene(root);
  const motion = group === null ? null : readGroup(group, scene);
  const found = chooseBody(scene, options, motion?.clip ?? null, declare(scene.indexOf));
  const { humanoid, nodes, sourceNodes, issues } = found;
  return { body: { humanoid, root: scene.top, nodes, mirrored: scene.mirrored, issues }, sourceNodes, motion };
}

/** The humanoid that a file declares below a root. RangeError where it cannot be one. */
export function declaredHumanoidOf(root: TransformNode, declare: Declare): BabylonHumanoid {
  return describe(root, {}, null, declare).body;
}

/**
 * The humanoid at or below a node, `__root__` of a glTF for instance: bones, reference pose, facing and size, from rest and bind matrices of
 * the skeletons of its meshes, and from the transforms of all other nodes as they are now: a character without a skin must not be animated
 * yet. The node's own transform does not count: it is where you have put the character. Bones must move transform nodes, as those of glTF do.
 *
 * `motion` is what it plays; a skeleton without a skin that does not rest in a T-pose may find its reference pose in the first frame.
 *
 * @throws RangeError with the reason where nothing there is humanoid, or several are; and for bones that are not there.
 */
export function humanoidOf(
  root: TransformNode | Skeleton,
  { motion, ...options }: BodyOptions & { readonly motion?: AnimationGroup } = {},
): BabylonHumanoid {
  return describe(root, options, motion ?? null).body;
}

/** The character that plays a group, and the group as a clip on its skeleton. */
export function performerOf(
  source: Character,
  options: BodyOptions,
  group: AnimationGroup,
): Performer<BabylonHumanoid> {
  if ('humanoid' in source) {
    const indexOf = new Map(source.nodes.map((node, index) => [node, index]));
    return { body: source, ...readGroup(group, { indexOf, mirrored: source.mirrored }) };
  }
  const { body, sourceNodes, motion } = describe(source, options, group);
  const read = motion as SceneMotion;
  return { ...read, body, clip: clipOfSkeleton(read.clip, sourceNodes) };
}

/** A character that a motion is for. */
export function targetOf(target: Character, options: BodyOptions): BabylonHumanoid {
  return 'humanoid' in target ? target : humanoidOf(target, options);
}
