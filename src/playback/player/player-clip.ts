import { type Clip, PATH_WIDTH, type Track, type TrackPath } from '../../core/animation/clip.ts';
import type { RootMotionNode } from '../../core/animation/loop-clip.ts';
import type { MotionEvent } from '../../core/animation/motion-events.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as quat from '../../core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { AnimatedNodes } from '../blend/pose-blend.ts';
import { compileClip } from '../compile-clip.ts';
import type { CompiledClip } from '../compiled-clip.ts';
import { extractRootMotion } from '../root-motion/extract-root-motion.ts';
import type { RootMotion } from '../root-motion/root-motion.ts';

/** Rotations become `reference⁻¹ · q`. That is linear in q, so tangents are mapped like values. */
function rotationDifferences(values: Floats, reference: Floats, at: number): Float64Array {
  const inverse = new Float64Array(4);
  quat.normalize(inverse, 0, reference, at);
  quat.conjugate(inverse, 0, inverse, 0);
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i += 4) quat.multiply(out, i, inverse, 0, values, i);
  return out;
}

/** Translations and scales become `value − reference`; tangents stay. */
function vectorDifferences({ values, interpolation }: Track, reference: Floats, at: number): Float64Array {
  const out = Float64Array.from(values);
  const isSpline = interpolation === 'CUBICSPLINE';
  for (let i = 0; i < out.length; i++) {
    const isTangent = isSpline && Math.floor(i / 3) % 3 !== 1;
    if (!isTangent) out[i] -= reference[at + (i % 3)];
  }
  return out;
}

/**
 * Makes a clip additive: its values become differences from a reference pose (10 floats per node, local space), `reference⁻¹ · q` for rotations and
 * `v − reference` for translations and scales, as in `AnimationUtils.makeClipAdditive` of three.js. Key times and interpolation stay. Throws a
 * RangeError if the clip animates a node that the pose does not have.
 */
export function createAdditiveClip(clip: Clip, reference: Floats): Clip {
  const tracks = clip.tracks.map((track) => {
    const at = POSE_STRIDE * track.target + PATH_OFFSET[track.path];
    if (!(track.target >= 0 && at + PATH_WIDTH[track.path] <= reference.length)) {
      throw new RangeError(
        `createAdditiveClip: a track animates node ${track.target}, but the reference pose has ${reference.length / POSE_STRIDE} nodes. ` +
          'Pass a pose of the skeleton that the clip animates.',
      );
    }
    const values =
      track.path === 'rotation'
        ? rotationDifferences(track.values, reference, at)
        : vectorDifferences(track, reference, at);
    return { ...track, values };
  });
  return { ...clip, tracks };
}

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
