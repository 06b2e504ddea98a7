import type { AnimationClip, Object3D } from 'three';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { ClipOptions } from '../../core/retarget/retarget-clip.ts';
import {
  type HumanoidMotion,
  type MotionContactOptions,
  type RetargetedMotion,
  reportEmptyClip,
  retargetMotion,
  type ScenePairOptions,
} from '../scene/retarget-motion.ts';
import { resolveSource, resolveTarget, type ThreeCharacter, type ThreeHumanoid } from './create-humanoid.ts';
import { writeClip } from './write-clip.ts';

/** Options for a pair of characters. */
export type ThreePairOptions = ScenePairOptions<Object3D>;

/** Options of {@link retargetAnimationClip}. */
export interface RetargetClipOptions extends ThreePairOptions, ClipOptions, MotionContactOptions {}

/** Result of {@link retargetAnimationClip}. */
export interface RetargetedThreeClip {
  /** The clip, for `new AnimationMixer(targetRoot)`. */
  readonly clip: AnimationClip;
  /** What was unusual, guessed or not transferred. */
  readonly issues: readonly Issue[];
  /** What contacts changed; null where they are off. */
  readonly contacts: RetargetedMotion['contacts'];
}

/** Lists the names of up to five objects for a message. */
function listNames(objects: readonly Object3D[]): string {
  const names = objects.slice(0, 5).map(({ name, uuid }) => name || uuid);
  return objects.length > 5 ? `${names.join(', ')} …` : names.join(', ');
}

/** Retargets a motion to a character of three.js. `duration`: minimum duration of the clip, seconds. Throws RangeError for an invalid option. */
export function retargetMotionTo(
  character: ThreeHumanoid,
  motion: HumanoidMotion,
  duration: number,
  { source, target, ...options }: RetargetClipOptions,
): RetargetedThreeClip {
  const retargeted = retargetMotion(motion, character, options);
  const written = writeClip(retargeted.clip, character.root, character.objects, duration);
  const issues = [...character.issues, ...retargeted.issues];
  reportEmptyClip(issues, retargeted.clip, 'clip', motion.clip.name);
  if (written.unreachable.length > 0) {
    const message = `No track name resolves from the root of the target to ${listNames(written.unreachable)}; pass an object above them as the root`;
    issues.push(issue('CHANNELS_DROPPED', message));
  }
  return { clip: written.clip, issues, contacts: retargeted.contacts };
}

/**
 * Retargets a clip from one character to another. Bone maps, reference poses, facing, units and hips scale are detected. Keys, key times and
 * interpolation are kept where one bone drives one bone. The characters and the clip stay unchanged.
 *
 * New tracks are bound by name, so the clip also works on clones of the target. Objects without a unique name are bound by uuid.
 *
 * @param clip The clip of the source.
 * @param source The character that has the motion: a root, a VRM, or a result of {@link createHumanoid}.
 * @param target The character that receives it.
 * @param options Facts about both characters, and retargeting options.
 * @returns The clip for the target and its issues.
 * @throws RangeError when a root has no humanoid or several, for an additive clip and for an invalid option.
 * @example
 * const { clip } = retargetAnimationClip(walk.animations[0], walk.scene, hero.scene);
 * const mixer = new AnimationMixer(hero.scene);
 * mixer.clipAction(clip).play();
 */
export function retargetAnimationClip(
  clip: AnimationClip,
  source: ThreeCharacter,
  target: ThreeCharacter,
  options: RetargetClipOptions = {},
): RetargetedThreeClip {
  const { source: sourceOptions = {}, target: targetOptions = {} } = options;
  const { character: from, clip: motion, others, issues } = resolveSource(source, sourceOptions, clip);
  const to = resolveTarget(target, targetOptions);
  const retargeted = retargetMotionTo(to, { ...from, clip: motion, others }, clip.duration, options);
  return { ...retargeted, issues: [...from.issues, ...issues, ...retargeted.issues] };
}
