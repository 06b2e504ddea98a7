/** The motion of one three.js character on another. */
import type { AnimationClip, Object3D } from 'three';
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan.ts';
import { type ClipOptions, retargetClip as retargetCoreClip } from '../../core/retarget/retarget-clip.ts';
import { droppedTracks } from '../scene/dropped-tracks.ts';
import { type BodyOptions, type Character, performerOf, type ThreeHumanoid, targetOf } from './humanoid-of.ts';
import { writeClip } from './write-clip.ts';

/** What is said about a pair of characters. */
export interface PairOptions extends RetargetOptions {
  /** About the character that has the motion. Not for what `humanoidOf` has made. */
  readonly source?: BodyOptions;
  /** About the character that gets it. */
  readonly target?: BodyOptions;
}

/** How a clip is to be retargeted. */
export interface RetargetClipOptions extends PairOptions, ClipOptions {}

/** A clip for the target. */
export interface RetargetedClip {
  /** For `new AnimationMixer(targetRoot)`. */
  readonly clip: AnimationClip;
  /** What was odd, or was not carried over. */
  readonly issues: readonly Issue[];
}

/** Names of objects for a message, a few at most. */
function listed(objects: readonly Object3D[]): string {
  const names = objects.slice(0, 5).map(({ name, uuid }) => name || uuid);
  return objects.length > 5 ? `${names.join(', ')} …` : names.join(', ');
}

/** A motion, and the body that makes it. */
export interface Motion {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  readonly duration: number;
}

/** A motion for the target; `others` are tracks that are of something else than the body. */
export function carryClip(
  { humanoid, clip, duration }: Motion,
  body: ThreeHumanoid,
  { source, target, name, fps, ...channels }: RetargetClipOptions,
  others: ReadonlyMap<string, number>,
): RetargetedClip {
  const plan = planRetarget(humanoid, body.humanoid, channels);
  const retargeted = retargetCoreClip(plan, clip, {
    ...(name === undefined ? {} : { name }),
    ...(fps === undefined ? {} : { fps }),
  });
  const written = writeClip(retargeted, body.root, body.objects, duration);
  const issues = [...body.issues, ...plan.issues, ...droppedTracks(plan, clip, others)];
  if (retargeted.tracks.length === 0) {
    issues.push(issue('CLIP_EMPTY', `The clip ${JSON.stringify(clip.name)} moves no bone that the target has`));
  }
  if (written.unreachable.length > 0) {
    const message = `No track name leads from the target's root to ${listed(written.unreachable)}; give an object above them as the root`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return { clip: written.clip, issues };
}

/**
 * A clip of one character for another: bone maps, reference poses, facing, units and the scale of the hips are found by themselves.
 * Keys, their times and their interpolation stay where one bone drives one bone. Neither character nor the clip is changed.
 *
 * The new clip is bound by names, so it also fits clones of the target; objects without a name of their own are bound by uuid.
 *
 * @throws RangeError where a root holds no humanoid or several, for an additive clip and for options that make no sense.
 */
export function retargetClip(
  clip: AnimationClip,
  source: Character,
  target: Character,
  options: RetargetClipOptions = {},
): RetargetedClip {
  const { source: sourceOptions = {}, target: targetOptions = {} } = options;
  const performer = performerOf(source, sourceOptions, clip);
  const body = targetOf(target, targetOptions);
  const { clip: motion, others, body: actor } = performer;
  const carried = carryClip({ humanoid: actor.humanoid, clip: motion, duration: clip.duration }, body, options, others);
  return { clip: carried.clip, issues: [...actor.issues, ...performer.issues, ...carried.issues] };
}
