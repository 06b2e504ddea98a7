/** Reports the tracks of a motion that are not transferred. */

import type { Clip } from '../../core/animation/clip.ts';
import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import { nodesAroundHips } from '../../core/retarget/hips-position.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';

/** Reports tracks that animate something but are not transferred, with their number per kind. */
export function reportDroppedTracks(plan: RetargetPlan, clip: Clip, others: ReadonlyMap<string, number>): Issue[] {
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
