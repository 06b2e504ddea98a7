import { type Clip, lastKeyTime, type Track } from '../animation/clip.ts';
import { extendToTime } from '../animation/extend-track.ts';
import { clipWithoutReflections, reflectClip } from '../animation/reflect-clip.ts';
import { scaleTracks, translationTracks } from './channel-tracks.ts';
import { detachedTracks } from './detached/detached-tracks.ts';
import { hipsTracks } from './hips-track.ts';
import type { RetargetPlan } from './plan-types.ts';
import { rotationTracks } from './rotation-tracks.ts';
import { createTrackTable } from './track-table.ts';

/** Options of {@link retargetClip} and {@link extractClip}. */
export interface ClipOptions {
  /** Name of the new clip; that of the source clip by default. */
  readonly name?: string;
  /** Keys per second; the keys of the source clip by default. */
  readonly fps?: number;
}

function basePoseTracks(plan: RetargetPlan, tracks: readonly Track[]): Track[] {
  if (plan.constantChannels.length === 0) return [];
  const animated = new Set(tracks.map(({ target, path }) => `${target} ${path}`));
  return plan.constantChannels
    .filter(({ targetNode, path }) => !animated.has(`${targetNode} ${path}`))
    .map(({ targetNode, path, value }) => {
      return { target: targetNode, path, interpolation: 'STEP', times: new Float32Array([0]), values: value };
    });
}

/** Extends the first track to `duration` if all tracks end before: loops keep their length. */
function keepDuration(tracks: Track[], duration: number): Track[] {
  if (tracks.length === 0 || Math.fround(lastKeyTime(tracks)) >= Math.fround(duration)) return tracks;
  const [first, ...others] = tracks;
  return [extendToTime(first, duration), ...others];
}

/**
 * Retargets a clip. Where exactly one source rotation drives a bone, its keys, times and interpolation are kept: the map is linear, also
 * for tangents. Where several do, the track is resampled with an error below 0.005° of world rotation: to LINEAR keys, or to a CUBICSPLINE
 * if a source track is one and that takes less space. Tracks share the time arrays of the source clip where keys are kept.
 *
 * @param plan From {@link planRetarget}.
 * @param clip A clip of the source.
 * @param options Name and key rate of the new clip.
 * @returns A clip of the target with the same duration.
 * @throws RangeError If `fps` is not a positive number, or a track animates a node that the source does not have.
 * @example
 * const plan = planRetarget(source, target);
 * const walk = retargetClip(plan, clip, { name: 'walk' });
 */
export function retargetClip(plan: RetargetPlan, clip: Clip, options: ClipOptions = {}): Clip {
  return retargetClosely(plan, clip, options, 1);
}

/** Retargets a clip as {@link retargetClip}, with part of the tolerances of joints that are resampled. `part` is above 0 and at most 1. */
export function retargetClosely(plan: RetargetPlan, clip: Clip, options: ClipOptions, part: number): Clip {
  const { fps } = options;
  if (fps !== undefined && !(fps > 0 && Number.isFinite(fps))) {
    throw new RangeError(`retargetClip: fps is ${fps}. Expected a positive, finite number.`);
  }
  const nodeCount = plan.sourceParents.length;
  const unknown = clip.tracks.find(({ target }) => !(target >= 0 && target < nodeCount));
  if (unknown !== undefined) {
    throw new RangeError(
      `retargetClip: a track animates node ${unknown.target}, but the source of the plan has ${nodeCount} nodes. ` +
        'Pass a clip of the source that the plan was made for.',
    );
  }
  const motion = clipWithoutReflections(clip, plan.sourceSigns, plan.sourceRest);
  const table = createTrackTable(motion, nodeCount);
  const { duration } = clip;
  const { hips } = plan;
  const hipsLength = hips === null ? 0 : (table.translation[hips.sourceNode]?.values.length ?? 0);
  const { tracks, spare } = plan.rotation
    ? rotationTracks(plan, table, duration, fps, part, hipsLength)
    : { tracks: [], spare: new Float32Array(0) };
  if (hips !== null) tracks.push(...hipsTracks(plan, hips, table, duration, fps, part, spare));
  for (const translation of plan.translations) tracks.push(...translationTracks(translation, table, duration, fps));
  for (const scale of plan.scales) tracks.push(...scaleTracks(scale, table, duration, fps));
  tracks.push(...detachedTracks(plan, motion, fps, part));
  tracks.push(...basePoseTracks(plan, tracks));
  const retargeted = { name: options.name ?? clip.name, duration, tracks: keepDuration(tracks, duration) };
  return reflectClip(retargeted, plan.targetSigns);
}
