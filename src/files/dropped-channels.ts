/** Saying which channels of a motion do not reach the character. */
import { isConstantTrack } from '../core/animation/constant.ts';
import type { AssetClip } from '../core/asset/asset.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../core/report/issue.ts';
import type { RetargetPlan } from '../core/retarget/retarget-plan.ts';

/** Nodes of the source that a plan makes something of: by their rotation, translation or scale, or by all of their transform. */
export interface Followed {
  readonly rotation: ReadonlySet<number>;
  readonly translation: ReadonlySet<number>;
  readonly scale: ReadonlySet<number>;
  readonly transform: ReadonlySet<number>;
}

export function followedNodes({ rotation, pathNodes, hips, translations, scales }: RetargetPlan): Followed {
  return {
    rotation: new Set(rotation ? pathNodes : []),
    translation: new Set([...(hips === null ? [] : [hips]), ...translations].map(({ sourceNode }) => sourceNode)),
    scale: new Set(scales.map(({ sourceNode }) => sourceNode)),
    transform: new Set(hips?.sourceAncestors),
  };
}

function isFollowed(followed: Followed, node: number, path: 'rotation' | 'translation' | 'scale'): boolean {
  return followed.transform.has(node) || followed[path].has(node);
}

/** Whether any channel of a clip is of a node that the plan follows. */
export function movesHumanoid(followed: Followed, { clips }: AssetClip, skeleton: number): boolean {
  return clips[skeleton].tracks.some(({ target, path }) => isFollowed(followed, target, path));
}

/**
 * One issue CHANNELS_DROPPED for all clips of a motion file: how many channels of which kind move something and are not carried
 * over; none when all are. Channels of other skeletons of the file do not count.
 */
export function droppedChannels(
  file: string,
  source: Humanoid,
  followed: Followed,
  clips: readonly AssetClip[],
  skeleton: number,
  carriedMorphs: number,
): Issue[] {
  const bones = new Set(source.map.nodes);
  const counts = new Map<string, number>();
  const count = (kind: string, times: number): void => {
    if (times !== 0) counts.set(kind, (counts.get(kind) ?? 0) + times);
  };
  for (const { clips: parts, morphs, otherChannels } of clips) {
    for (const track of parts[skeleton].tracks) {
      if (isFollowed(followed, track.target, track.path) || isConstantTrack(track)) continue;
      count(`${track.path} of ${bones.has(track.target) ? 'bones' : 'nodes that are no bones'}`, 1);
    }
    count('morph weights', morphs.length);
    count('other properties or nodes', otherChannels);
  }
  count('morph weights', -carriedMorphs);
  const kinds = [...counts].filter(([, times]) => times > 0).map(([kind, times]) => `${times} × ${kind}`);
  if (kinds.length === 0) return [];
  return [issue('CHANNELS_DROPPED', `Channels of ${file} that are not carried over: ${kinds.join(', ')}`)];
}
