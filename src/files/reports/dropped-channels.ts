import { isConstantTrack } from '../../core/animation/is-constant-track.ts';
import type { AssetClip } from '../../core/asset/asset.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { formatTally, type IssueTally, tallyIssue } from '../../core/report/issue-tally.ts';
import type { ExtraBone } from '../../core/retarget/extra-bones.ts';
import { nodesAroundHips } from '../../core/retarget/hips-position.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';

interface UsedNodes {
  readonly rotation: ReadonlySet<number>;
  readonly translation: ReadonlySet<number>;
  readonly scale: ReadonlySet<number>;
  /** Nodes whose whole transform is used. */
  readonly transform: ReadonlySet<number>;
}

/** Lists the source nodes that a retarget plan uses, and those of extra bones. */
export function usedNodes(
  { rotation, pathNodes, hips, translations, scales }: RetargetPlan,
  extra: readonly ExtraBone[],
): UsedNodes {
  const further = extra.map(({ sourceNode }) => sourceNode);
  return {
    rotation: new Set([...(rotation ? pathNodes : []), ...further]),
    translation: new Set([
      ...[...(hips === null ? [] : [hips]), ...translations].map(({ sourceNode }) => sourceNode),
      ...further,
    ]),
    scale: new Set(scales.map(({ sourceNode }) => sourceNode)),
    transform: new Set(hips === null ? [] : nodesAroundHips(hips)),
  };
}

function isUsed(used: UsedNodes, node: number, path: 'rotation' | 'translation' | 'scale'): boolean {
  return used.transform.has(node) || used[path].has(node);
}

/** Checks that a clip animates the humanoid of a plan. */
export function animatesHumanoid(used: UsedNodes, { clips }: AssetClip, skeleton: number): boolean {
  return clips[skeleton].tracks.some(({ target, path }) => isUsed(used, target, path));
}

/** Counts the channels of motion clips that change over time and are not used. Channels of other skeletons of the file do not count. */
export function droppedChannels(
  file: string,
  source: Humanoid,
  used: UsedNodes,
  clips: readonly AssetClip[],
  skeleton: number,
  usedMorphs: number,
): Issue[] {
  const bones = new Set(source.map.nodes);
  const counts: IssueTally = new Map();
  for (const { clips: parts, morphs, otherChannels } of clips) {
    for (const track of parts[skeleton].tracks) {
      if (isUsed(used, track.target, track.path) || isConstantTrack(track)) continue;
      tallyIssue(counts, `${track.path} of ${bones.has(track.target) ? 'bones' : 'non-bone nodes'}`);
    }
    tallyIssue(counts, 'morph weights', morphs.length);
    tallyIssue(counts, 'other properties or nodes', otherChannels);
  }
  counts.set('morph weights', (counts.get('morph weights') ?? 0) - usedMorphs);
  const list = formatTally(counts);
  if (list === '') return [];
  return [issue('CHANNELS_DROPPED', `Channels of ${file} that have no counterpart were dropped: ${list}`)];
}
