/** Clips of a file as animations of all its nodes. */
import type { Clip, Track } from '../core/animation/clip.ts';
import type { AssetSkeleton, MorphTrack } from '../core/asset/asset.ts';
import type { ExpressionTrack, LookAtTrack } from '../core/face/face-tracks.ts';
import { type HumanoidClip, humanoidClipOf } from '../core/humanoid/humanoid-clip.ts';
import type { NewAnimation } from '../formats/gltf/write-clips.ts';

/** One animation for all skeletons of a file. */
export interface WholeClip {
  readonly name: string;
  /** One a skeleton, in the order of the file. */
  readonly clips: readonly Clip[];
  readonly morphs: readonly MorphTrack[];
  /** On nodes of the file. */
  readonly expressions?: readonly ExpressionTrack[];
  readonly lookAt?: LookAtTrack;
}

/** The keys of the face of a VRMA as those of the nodes that carry it. */
function faceTracks({ expressions = [], lookAt }: WholeClip): { sourceNode: number; track: Omit<Track, 'target'> }[] {
  const tracks = expressions.map(({ sourceNode, interpolation, times, values }) => {
    const translations = new Float64Array(3 * values.length);
    for (let k = 0; k < values.length; k++) translations[3 * k] = values[k];
    return { sourceNode, track: { path: 'translation' as const, interpolation, times, values: translations } };
  });
  if (lookAt === undefined) return tracks;
  const { sourceNode, interpolation, times, values } = lookAt;
  return [...tracks, { sourceNode, track: { path: 'rotation' as const, interpolation, times, values } }];
}

/** Clips of several skeletons as one animation; a node above several of them is animated once. Those of portable bodies stay humanoid clips. */
export function wholeAnimation(whole: WholeClip, skeletons: readonly AssetSkeleton[]): NewAnimation {
  const { name, clips, morphs } = whole;
  const sourceNodes: number[] = [];
  const tracks: Track[] = [];
  const seen = new Set<string>();
  let duration = 0;
  let humanoid: HumanoidClip | undefined;
  for (const [k, clip] of clips.entries()) {
    duration = Math.max(duration, clip.duration);
    const { skeleton, declared, isPortable } = skeletons[k];
    if (isPortable === true && declared !== null) {
      if (clip.tracks.length > 0) humanoid = humanoidClipOf({ skeleton, declared }, { ...clip, name });
      continue;
    }
    for (const track of clip.tracks) {
      const node = skeletons[k].sourceNodes[track.target];
      const key = `${node} ${track.path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      tracks.push({ ...track, target: sourceNodes.length });
      sourceNodes.push(node);
    }
  }
  for (const { sourceNode, track } of faceTracks(whole)) {
    duration = Math.max(duration, track.times[track.times.length - 1]);
    tracks.push({ ...track, target: sourceNodes.length });
    sourceNodes.push(sourceNode);
  }
  const animation = { name, clip: { name, duration, tracks }, sourceNodes, morphs };
  return humanoid === undefined ? animation : { ...animation, humanoid };
}
