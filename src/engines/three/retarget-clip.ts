/** The motion of one three.js character on another. */
import type { AnimationClip, Object3D } from 'three';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import { carryClip, type Performance, type PairOptions as ScenePairOptions } from '../scene/motion.ts';
import { type Character, performerOf, type ThreeHumanoid, targetOf } from './humanoid-of.ts';
import { writeClip } from './write-clip.ts';

/** What is said about a pair of characters. */
export type PairOptions = ScenePairOptions<Object3D>;

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

/** A motion that lasts `duration` seconds, for the target. */
export function performOn(
  body: ThreeHumanoid,
  motion: Performance,
  duration: number,
  { source, target, ...options }: RetargetClipOptions,
): RetargetedClip {
  const carried = carryClip(motion, body.humanoid, options);
  const written = writeClip(carried.clip, body.root, body.objects, duration);
  const issues = [...body.issues, ...carried.issues];
  if (carried.clip.tracks.length === 0) {
    issues.push(issue('CLIP_EMPTY', `The clip ${JSON.stringify(motion.clip.name)} moves no bone that the target has`));
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
  const carried = performOn(body, { humanoid: actor.humanoid, clip: motion, others }, clip.duration, options);
  return { clip: carried.clip, issues: [...actor.issues, ...performer.issues, ...carried.issues] };
}
