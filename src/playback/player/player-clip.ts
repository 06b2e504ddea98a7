import type { Clip, TrackPath } from '../../core/animation/clip.ts';
import type { RootMotionNode } from '../../core/animation/loop-clip.ts';
import type { MotionEvent } from '../../core/animation/motion-events.ts';
import type { Floats } from '../../core/math/floats.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { createAdditiveClip } from '../blend/additive-clip.ts';
import type { AnimatedNodes } from '../blend/pose-blend.ts';
import { compileClip } from '../compile-clip.ts';
import type { CompiledClip } from '../compiled-clip.ts';
import { extractRootMotion } from '../root-motion/extract-root-motion.ts';
import type { RootMotion } from '../root-motion/root-motion.ts';

/** A clip that players of one skeleton play. */
export interface PlayerClip {
  /** Name of the clip. */
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** The keys that are sampled. */
  readonly compiled: CompiledClip;
  /** The nodes that the clip animates. */
  readonly nodes: AnimatedNodes;
  /** Whether the clip is added to others: its values are differences. */
  readonly isAdditive: boolean;
  /** Root motion that was removed from the clip; null for none. */
  readonly rootMotion: RootMotion | null;
  /** What happens in it, in the order of time. */
  readonly events: readonly MotionEvent[];
}

/** Options of {@link planPlayerClip}. */
export interface PlayerClipOptions {
  /** The hips, from `findRootMotionNode`: the root motion is removed from the pose, and the player measures it. */
  readonly rootMotion?: RootMotionNode;
  /** Makes the clip additive: the pose without difference, 10 floats per node, local space. */
  readonly additiveTo?: Floats;
  /** What happens in the clip, such as the steps in `events` of an opened clip: the player reports it. */
  readonly events?: readonly MotionEvent[];
}

/** Lists the nodes that a clip animates. Tracks without keys do not count. */
function listAnimatedNodes(clip: Clip): AnimatedNodes {
  const nodesOf = (path: TrackPath): Int32Array => {
    const tracks = clip.tracks.filter((track) => track.path === path && track.times.length > 0);
    return Int32Array.from(new Set(tracks.map(({ target }) => target))).sort();
  };
  return { translation: nodesOf('translation'), rotation: nodesOf('rotation'), scale: nodesOf('scale') };
}

/**
 * Prepares a clip for players of a skeleton. Do this once per clip; any number of players use the result.
 *
 * @param clip The clip; it is not changed.
 * @param options Root motion, additive.
 * @returns The prepared clip.
 * @throws RangeError If the clip animates a node that the skeleton does not have.
 * @example
 * const walk = planPlayerClip(humanoid.skeleton, clip, { rootMotion: findRootMotionNode(humanoid) });
 */
export function planPlayerClip(skeleton: Skeleton, clip: Clip, options: PlayerClipOptions = {}): PlayerClip {
  const nodeCount = skeleton.parents.length;
  const unknown = clip.tracks.find(({ target }) => !(target >= 0 && target < nodeCount));
  if (unknown !== undefined) {
    throw new RangeError(
      `planPlayerClip: a track animates node ${unknown.target}, but the skeleton has ${nodeCount} nodes. Pass a clip of this skeleton.`,
    );
  }
  const { rootMotion: node, additiveTo, events = [] } = options;
  const { clip: stationary, rootMotion } =
    node === undefined ? { clip, rootMotion: null } : extractRootMotion(skeleton, clip, node);
  const played = additiveTo === undefined ? stationary : createAdditiveClip(stationary, additiveTo);
  return {
    name: clip.name,
    duration: clip.duration,
    compiled: compileClip(skeleton, played),
    nodes: listAnimatedNodes(played),
    isAdditive: additiveTo !== undefined,
    rootMotion,
    events: events.toSorted((a, b) => a.time - b.time),
  };
}
