/** Saying what of a motion does not reach the character. */
import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/constant.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import type { RetargetPlan } from '../../core/retarget/retarget-plan.ts';

/**
 * One issue CHANNELS_DROPPED: how many tracks move something and are not carried over, of the body's own (`clip`), and of `others` that are
 * of something else. None when all are.
 */
export function droppedTracks(plan: RetargetPlan, clip: Clip, others: ReadonlyMap<string, number>): Issue[] {
  const { rotation, pathNodes, hips, translations, scales } = plan;
  const followed = {
    rotation: new Set(rotation ? pathNodes : []),
    translation: new Set([...(hips === null ? [] : [hips]), ...translations].map(({ sourceNode }) => sourceNode)),
    scale: new Set(scales.map(({ sourceNode }) => sourceNode)),
  };
  const above = new Set(hips?.sourceAncestors);
  const counts = new Map(others);
  for (const track of clip.tracks) {
    if (above.has(track.target) || followed[track.path].has(track.target) || isConstantTrack(track)) continue;
    counts.set(track.path, (counts.get(track.path) ?? 0) + 1);
  }
  const kinds = [...counts].filter(([, count]) => count > 0).map(([kind, count]) => `${count} × ${kind}`);
  if (kinds.length === 0) return [];
  return [issue('CHANNELS_DROPPED', `Tracks that are not carried over: ${kinds.join(', ')}`)];
}
