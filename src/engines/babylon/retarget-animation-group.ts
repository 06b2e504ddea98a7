/** The motion of one Babylon.js character on another. */
import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan.ts';
import { type ClipOptions, retargetClip } from '../../core/retarget/retarget-clip.ts';
import { droppedTracks } from '../scene/dropped-tracks.ts';
import { mirrorClipSpace } from './handedness.ts';
import { type BabylonHumanoid, type BodyOptions, type Character, performerOf, targetOf } from './humanoid-of.ts';
import { type GroupRange, writeGroup } from './write-group.ts';

/** What is said about a pair of characters. */
export interface PairOptions extends RetargetOptions {
  /** About the character that has the motion. Not for what `humanoidOf` has made. */
  readonly source?: BodyOptions;
  /** About the character that gets it. */
  readonly target?: BodyOptions;
}

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

/** A motion, the body that makes it, and the frames that it becomes. */
export interface Motion {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  readonly range: GroupRange;
}

/** A motion for the target; `others` are animations that are of something else than the body. */
export function carryGroup(
  { humanoid, clip: motion, range }: Motion,
  body: BabylonHumanoid,
  { source, target, name, fps, ...channels }: RetargetGroupOptions,
  others: ReadonlyMap<string, number>,
): RetargetedGroup {
  const plan = planRetarget(humanoid, body.humanoid, channels);
  const clip = retargetClip(plan, motion, {
    ...(name === undefined ? {} : { name }),
    ...(fps === undefined ? {} : { fps }),
  });
  const issues = [...body.issues, ...plan.issues, ...droppedTracks(plan, motion, others)];
  if (clip.tracks.length === 0) {
    issues.push(issue('CLIP_EMPTY', `The group ${JSON.stringify(motion.name)} moves no bone that the target has`));
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
  const carried = carryGroup({ humanoid: actor.humanoid, clip, range }, body, options, others);
  return { group: carried.group, issues: [...actor.issues, ...performer.issues, ...carried.issues] };
}
