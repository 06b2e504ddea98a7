/** Motions of the animations of an engine, and carrying them from one character to another. */
import type { Clip } from '../../core/animation/clip.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import type { Issue } from '../../core/report/issue.ts';
import type { RetargetOptions } from '../../core/retarget/options.ts';
import { planRetarget } from '../../core/retarget/plan-retarget.ts';
import { type ClipOptions, retargetClip } from '../../core/retarget/retarget-clip.ts';
import type { BodyOptions } from './choose-body.ts';
import { droppedTracks } from './dropped-tracks.ts';

/** What is said about a pair of characters. */
export interface PairOptions<Node> extends RetargetOptions {
  /** About the character that has the motion. Not for what `humanoidOf` has made. */
  readonly source?: BodyOptions<Node>;
  /** About the character that gets it. */
  readonly target?: BodyOptions<Node>;
}

/** An animation as a clip on nodes of a scene graph. */
export interface SceneMotion {
  readonly clip: Clip;
  /** Tracks that animate something else, by what that is. */
  readonly others: ReadonlyMap<string, number>;
  /** Of the animation alone. */
  readonly issues: readonly Issue[];
}

/** A character, and what it plays on the nodes of its skeleton. */
export interface Performer<Body> extends SceneMotion {
  readonly body: Body;
}

/** A motion that is to be carried over, and the body that makes it. */
export interface Performance {
  readonly humanoid: Humanoid;
  readonly clip: Clip;
  readonly others?: ReadonlyMap<string, number>;
}

/** The motion on nodes of the target's skeleton, with what is odd about the pair or is not carried over. */
export function carryClip(
  { humanoid, clip, others = new Map() }: Performance,
  target: Humanoid,
  options: RetargetOptions & ClipOptions,
): Pick<SceneMotion, 'clip' | 'issues'> {
  const { name, fps, ...channels } = options;
  const plan = planRetarget(humanoid, target, channels);
  const named = name === undefined ? {} : { name };
  const timed = fps === undefined ? {} : { fps };
  const carried = retargetClip(plan, clip, { ...named, ...timed });
  return { clip: carried, issues: [...plan.issues, ...droppedTracks(plan, clip, others)] };
}
