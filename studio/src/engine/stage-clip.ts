/** Clips as the stage plays them: keys on glTF nodes. */
import type { AssetSkeleton, Clip } from 'anyrig';
import type { MorphTrack } from '../../../src/core/asset/asset.ts';
import type { StageClip, StageTrack } from '../../../src/stage/contract.ts';

export function toStageClip(clip: Clip, { sourceNodes }: AssetSkeleton, morphs: readonly MorphTrack[]): StageClip {
  const moved = clip.tracks.flatMap(({ target, path, interpolation, times, values }): StageTrack[] => {
    const node = sourceNodes[target];
    if (node < 0) return [];
    return [{ node, path, interpolation, times: Float32Array.from(times), values: Float32Array.from(values) }];
  });
  const weights = morphs.map(({ sourceNode, interpolation, times, values }): StageTrack => {
    const keys = { times: Float32Array.from(times), values: Float32Array.from(values) };
    return { node: sourceNode, path: 'weights', interpolation, ...keys };
  });
  return { name: clip.name, duration: clip.duration, tracks: [...moved, ...weights] };
}

/** Lists the buffers of a clip, so that they are moved to the page and not copied. */
export function buffersOf(clip: StageClip): ArrayBuffer[] {
  return clip.tracks.flatMap(({ times, values }) => [times.buffer as ArrayBuffer, values.buffer as ArrayBuffer]);
}
