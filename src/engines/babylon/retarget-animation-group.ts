/** The motion of one Babylon.js character on another. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import { carryClip, type Performance, type PairOptions as ScenePairOptions } from '../scene/motion.ts';
import { mirrorClipSpace } from './handedness.ts';
import { type BabylonHumanoid, type Character, performerOf, targetOf } from './humanoid-of.ts';
import { type GroupRange, writeGroup } from './write-group.ts';

/** What is said about a pair of characters. */
export type PairOptions = ScenePairOptions<TransformNode>;

/** How a group is to be retargeted. */
export interface RetargetGroupOptions extends PairOptions, ClipOptions {}

/** A group for the target. */
export interface RetargetedGroup {
  /** In the scene of the target, not started. It has the frames of the old one. */
  readonly group: AnimationGroup;
  /** What was odd, or was not carried over. */
  readonly issues: readonly Issue[];
}

/** Frames a second of a group that does not say: what Babylon's glTF loader turns seconds into. */
export const DEFAULT_FPS = 60;

/** A motion for the target, as the frames of `range`. */
export function performOn(
  body: BabylonHumanoid,
  motion: Performance,
  range: GroupRange,
  { source, target, ...options }: RetargetGroupOptions,
): RetargetedGroup {
  const { clip, issues: odd } = carryClip(motion, body.humanoid, options);
  const issues = [...body.issues, ...odd];
  if (clip.tracks.length === 0) {
    issues.push(issue('CLIP_EMPTY', `The group ${JSON.stringify(motion.clip.name)} moves no bone that the target has`));
  }
  const shown = body.mirrored ? mirrorClipSpace(clip) : clip;
  return { group: writeGroup(shown, body.nodes, body.root.getScene(), range), issues };
}

/**
 * A group of one character for another, which may be of another scene: bone maps, reference poses, facing, handedness, units and the scale
 * of the hips are found by themselves. Keys, their times and their interpolation stay where one bone drives one bone. Neither character
 * nor the group is changed.
 *
 * @throws RangeError where a root holds no humanoid or several, for an additive group and for options that make no sense.
 */
export function retargetAnimationGroup(
  group: AnimationGroup,
  source: Character,
  target: Character,
  options: RetargetGroupOptions = {},
): RetargetedGroup {
  const { source: sourceOptions = {}, target: targetOptions = {} } = options;
  const performer = performerOf(source, sourceOptions, group);
  const body = targetOf(target, targetOptions);
  const { clip, others, body: actor } = performer;
  const range = {
    fps: group.targetedAnimations[0]?.animation.framePerSecond ?? DEFAULT_FPS,
    from: group.from,
    to: group.to,
  };
  const carried = performOn(body, { humanoid: actor.humanoid, clip, others }, range, options);
  return { group: carried.group, issues: [...actor.issues, ...performer.issues, ...carried.issues] };
}
