/** The offline side: a clip of the source in, a clip of the target out. */
import { type Clip, lastKeyTime, type Track } from '../animation/clip.ts';
import { holdUntil } from '../animation/hold-track.ts';
import { attachmentTracks } from './attachment-tracks.ts';
import { scaleTracks, translationTracks } from './channel-tracks.ts';
import { hipsTracks } from './hips-track.ts';
import type { RetargetPlan } from './retarget-plan.ts';
import { rotationTracks } from './rotation-tracks.ts';
import { tableOf } from './track-table.ts';

export interface ClipOptions {
  /** Name of the new clip; that of the old one by default. */
  readonly name?: string;
  /** Keys at this rate instead of the motion's own keys. */
  readonly fps?: number;
}

/** Constant tracks of what the reference pose was taken with, where nothing else moves it. */
function heldTracks(plan: RetargetPlan, tracks: readonly Track[]): Track[] {
  if (plan.held.length === 0) return [];
  const moved = new Set(tracks.map(({ target, path }) => `${target} ${path}`));
  return plan.held
    .filter(({ targetNode, path }) => !moved.has(`${targetNode} ${path}`))
    .map(({ targetNode, path, value }) => {
      return { target: targetNode, path, interpolation: 'STEP', times: new Float32Array([0]), values: value };
    });
}

/** The tracks, the first with one more key that holds its last value when all end before `duration`: loops keep their length. */
function lastUntil(tracks: Track[], duration: number): Track[] {
  if (tracks.length === 0 || Math.fround(lastKeyTime(tracks)) >= Math.fround(duration)) return tracks;
  const [first, ...others] = tracks;
  return [holdUntil(first, duration), ...others];
}

/**
 * Retargets a clip. Where exactly one source rotation drives a bone, its keys, their times and their interpolation stay (the map
 * is linear, tangents included); where several do, the track is resampled to within 0.005° of world rotation.
 * Tracks share the time arrays of the source where they could be kept. RangeError for an fps that is not positive.
 */
export function retargetClip(plan: RetargetPlan, clip: Clip, options: ClipOptions = {}): Clip {
  const { fps } = options;
  if (fps !== undefined && !(fps > 0 && Number.isFinite(fps)))
    throw new RangeError(`retargetClip: fps is ${fps}, expected a number above 0`);
  const nodeCount = plan.sourceParents.length;
  const stranger = clip.tracks.find(({ target }) => !(target >= 0 && target < nodeCount));
  if (stranger !== undefined) {
    throw new RangeError(
      `retargetClip: a track animates node ${stranger.target}, the plan's source has ${nodeCount} nodes`,
    );
  }
  const table = tableOf(clip, nodeCount);
  const tracks: Track[] = [];
  if (plan.rotation) tracks.push(...rotationTracks(plan, table, clip.duration, fps));
  if (plan.hips !== null) tracks.push(...hipsTracks(plan, plan.hips, table, clip.duration, fps));
  for (const translation of plan.translations)
    tracks.push(...translationTracks(translation, table, clip.duration, fps));
  for (const scale of plan.scales) tracks.push(...scaleTracks(scale, table, clip.duration, fps));
  tracks.push(...attachmentTracks(plan, clip, fps));
  tracks.push(...heldTracks(plan, tracks));
  return { name: options.name ?? clip.name, duration: clip.duration, tracks: lastUntil(tracks, clip.duration) };
}
