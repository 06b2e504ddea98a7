/** Saying what of a motion does not reach the character. */

import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';

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
  const counts: IssueTally = new Map(others);
  for (const track of clip.tracks) {
    if (above.has(track.target) || followed[track.path].has(track.target) || isConstantTrack(track)) continue;
    tallyIssue(counts, track.path);
  }
  const list = formatTally(counts);
  if (list === '') return [];
  return [issue('CHANNELS_DROPPED', `Tracks that are not carried over: ${list}`)];
}
