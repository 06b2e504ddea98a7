/** Retargets animation groups between characters of Babylon.js. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Issue } from '../../core/report/issue.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import {
  type HumanoidMotion,
  type MotionContactOptions,
  type RetargetedMotion,
  reportEmptyClip,
  retargetMotion,
  type ScenePairOptions,
} from '../scene/retarget-motion.ts';
import { type BabylonCharacter, type BabylonHumanoid, resolveSource, resolveTarget } from './create-humanoid.ts';
import { mirrorClipSpace } from './handedness.ts';
import { type GroupRange, writeGroup } from './write-group.ts';

/** Options for a pair of characters. */
export type BabylonPairOptions = ScenePairOptions<TransformNode>;

/** Options of {@link retargetAnimationGroup}. */
export interface RetargetGroupOptions extends BabylonPairOptions, ClipOptions, MotionContactOptions {}

/** Result of {@link retargetAnimationGroup}. */
export interface RetargetedGroup {
  /** The group, in the scene of the target and not started. It has the frame rate and range of the source group. */
  readonly group: AnimationGroup;
  /** What was unusual, guessed or not transferred. */
  readonly issues: readonly Issue[];
  /** What contacts changed; null where they are off. */
  readonly contacts: RetargetedMotion['contacts'];
}

/** Default frames per second, as in Babylon's glTF loader. */
export const DEFAULT_FPS = 60;

/** Retargets a motion to a character of Babylon.js. Throws RangeError for an invalid option. */
export function retargetMotionTo(
  character: BabylonHumanoid,
  motion: HumanoidMotion,
  range: GroupRange,
  { source, target, ...options }: RetargetGroupOptions,
): RetargetedGroup {
  const { clip, issues: found, contacts } = retargetMotion(motion, character, options);
  const issues = [...character.issues, ...found];
  reportEmptyClip(issues, clip, 'group', motion.clip.name);
  const shown = character.mirrored ? mirrorClipSpace(clip) : clip;
  return { group: writeGroup(shown, character.nodes, character.root.getScene(), range), issues, contacts };
}

/**
 * Retargets an animation group from one character to another, which can be in another scene. Bone maps, reference poses, facing, handedness, units and
 * hips scale are detected. Keys, key times and interpolation are kept where one bone drives one bone. The characters and the group stay unchanged.
 *
 * @param group The group of the source.
 * @param source The character that has the motion: a node, a skeleton, or a result of `createHumanoid`.
 * @param target The character that receives it.
 * @param options Facts about both characters, and retargeting options.
 * @returns The group for the target and its issues.
 * @throws RangeError when a root has no humanoid or several, for an additive group and for an invalid option.
 * @example
 * const { group } = retargetAnimationGroup(walk.animationGroups[0], walkRoot, heroRoot);
 * group.start(true);
 */
export function retargetAnimationGroup(
  group: AnimationGroup,
  source: BabylonCharacter,
  target: BabylonCharacter,
  options: RetargetGroupOptions = {},
): RetargetedGroup {
  const { source: sourceOptions = {}, target: targetOptions = {} } = options;
  const { character: from, clip, others, issues } = resolveSource(source, sourceOptions, group);
  const to = resolveTarget(target, targetOptions);
  const range = {
    fps: group.targetedAnimations[0]?.animation.framePerSecond ?? DEFAULT_FPS,
    from: group.from,
    to: group.to,
  };
  const retargeted = retargetMotionTo(to, { ...from, clip, others }, range, options);
  return { ...retargeted, issues: [...from.issues, ...issues, ...retargeted.issues] };
}
