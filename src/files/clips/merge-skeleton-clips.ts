import type { Track } from '../../core/animation/clip.ts';
import { unionTimes } from '../../core/animation/resample.ts';
import type { AssetClip, AssetSkeleton, NewAnimation } from '../../core/asset/asset.ts';
import { type HumanoidClip, toHumanoidClip } from '../../core/humanoid/humanoid-clip.ts';

export type MultiSkeletonClip = Pick<AssetClip, 'name' | 'clips' | 'morphs' | 'expressions' | 'lookAt' | 'extras'>;

/** Converts the face of a VRMA to tracks of the nodes that carry it: x of a translation is the weight of an expression. */
function faceTracks({
  expressions = [],
  lookAt,
}: MultiSkeletonClip): { readonly sourceNode: number; readonly track: Omit<Track, 'target'> }[] {
  const tracks = expressions.map(({ sourceNode, interpolation, times, values }) => {
    const translations = new Float64Array(3 * values.length);
    for (let k = 0; k < values.length; k++) translations[3 * k] = values[k];
    return { sourceNode, track: { path: 'translation' as const, interpolation, times, values: translations } };
  });
  if (lookAt === undefined) return tracks;
  const { sourceNode, interpolation, times, values } = lookAt;
  return [...tracks, { sourceNode, track: { path: 'rotation' as const, interpolation, times, values } }];
}

/**
 * Merges clips of several skeletons into one animation. A node that several skeletons share is animated once. Clips of a canonical rig stay humanoid
 * clips.
 */
export function mergeSkeletonClips(clip: MultiSkeletonClip, skeletons: readonly AssetSkeleton[]): NewAnimation {
  const { name, clips, morphs, extras } = clip;
  const sourceNodes: number[] = [];
  const tracks: Track[] = [];
  const seen = new Set<string>();
  let duration = 0;
  let humanoid: HumanoidClip | undefined;
  for (const [k, part] of clips.entries()) {
    duration = Math.max(duration, part.duration);
    const { skeleton, declared, isCanonicalRig } = skeletons[k];
    if (isCanonicalRig === true && declared !== null) {
      if (part.tracks.length > 0) humanoid = toHumanoidClip({ skeleton, declared }, { ...part, name });
      continue;
    }
    for (const track of part.tracks) {
      const node = skeletons[k].sourceNodes[track.target];
      const key = `${node} ${track.path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      tracks.push({ ...track, target: sourceNodes.length });
      sourceNodes.push(node);
    }
  }
  for (const { sourceNode, track } of faceTracks(clip)) {
    duration = Math.max(duration, track.times[track.times.length - 1]);
    tracks.push({ ...track, target: sourceNodes.length });
    sourceNodes.push(sourceNode);
  }
  const keyTimes = clips.flatMap((part) => part.keyTimes ?? []);
  const timed = keyTimes.length === 0 ? {} : { keyTimes: unionTimes(keyTimes) };
  return {
    name,
    clip: { name, duration, tracks, ...timed },
    sourceNodes,
    morphs,
    ...(humanoid && { humanoid }),
    extras,
  };
}
