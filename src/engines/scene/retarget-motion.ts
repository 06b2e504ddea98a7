/** Retargets motions between characters of a scene. */
import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { nodesAroundHips } from '../../core/retarget/hips-position.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { type ClipOptions, retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { SceneHumanoidOptions } from './find-scene-humanoid.ts';

/** Reports tracks that animate something but are not transferred, with their number per kind. */
function reportDroppedTracks(plan: RetargetPlan, clip: Clip, others: ReadonlyMap<string, number>): Issue[] {
  const { rotation, pathNodes, hips, translations, scales } = plan;
  const transferred = {
    rotation: new Set(rotation ? pathNodes : []),
    translation: new Set([...(hips === null ? [] : [hips]), ...translations].map(({ sourceNode }) => sourceNode)),
    scale: new Set(scales.map(({ sourceNode }) => sourceNode)),
  };
  const aroundHips = new Set(hips === null ? [] : nodesAroundHips(hips));
  const counts: IssueTally = new Map(others);
  for (const track of clip.tracks) {
    if (aroundHips.has(track.target) || transferred[track.path].has(track.target) || isConstantTrack(track)) continue;
    tallyIssue(counts, track.path);
  }
  const list = formatTally(counts);
  if (list === '') return [];
  return [issue('CHANNELS_DROPPED', `These tracks were not transferred: ${list}`)];
}

/** Options for a pair of characters. */
export interface ScenePairOptions<Node> extends RetargetOptions {
  /** Facts about the character that has the motion. Ignored for a result of `createHumanoid`. */
  readonly source?: SceneHumanoidOptions<Node>;
  /** Facts about the character that receives the motion. Ignored for a result of `createHumanoid`. */
  readonly target?: SceneHumanoidOptions<Node>;
}

/** An animation as a clip on nodes of a scene graph. */
export interface SceneMotion {
  /** The clip on nodes of the scene graph. */
  readonly clip: Clip;
  /** Number of tracks that animate something else, by kind. */
  readonly others: ReadonlyMap<string, number>;
  /** Issues of the animation itself. */
  readonly issues: readonly Issue[];
}

/** A character and its motion, a clip on nodes of its skeleton. */
export interface AnimatedCharacter<T> extends SceneMotion {
  /** The character. */
  readonly character: T;
}

/** A motion and the humanoid that it animates. */
export interface HumanoidMotion {
  /** The humanoid. */
  readonly humanoid: Humanoid;
  /** The clip on nodes of its skeleton. */
  readonly clip: Clip;
  /** Number of tracks that animate something else, by kind. */
  readonly others?: ReadonlyMap<string, number>;
}

/**
 * Retargets a motion.
 *
 * @param target The humanoid that receives it.
 * @throws RangeError for an invalid option.
 */
export function retargetMotion(
  { humanoid, clip, others = new Map() }: HumanoidMotion,
  target: Humanoid,
  options: RetargetOptions & ClipOptions,
): Pick<SceneMotion, 'clip' | 'issues'> {
  const { name, fps, ...channels } = options;
  const plan = planRetarget(humanoid, target, channels);
  const named = name === undefined ? {} : { name };
  const timed = fps === undefined ? {} : { fps };
  const retargeted = retargetClip(plan, clip, { ...named, ...timed });
  return { clip: retargeted, issues: [...plan.issues, ...reportDroppedTracks(plan, clip, others)] };
}
