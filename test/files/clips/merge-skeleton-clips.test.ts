import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import type { AssetSkeleton } from '../../../src/core/asset/asset.ts';
import { mergeSkeletonClips } from '../../../src/files/clips/merge-skeleton-clips.ts';

describe('mergeSkeletonClips', () => {
  it('merges the clips of skeletons, and animates shared nodes once', () => {
    const track = (target: number) => ({
      target,
      path: 'rotation' as const,
      interpolation: 'LINEAR' as const,
      times: Float64Array.of(0),
      values: Float64Array.of(0, 0, 0, 1),
    });
    const clip = (duration: number, ...targets: number[]): Clip => ({ name: '', duration, tracks: targets.map(track) });
    const part = (...nodes: number[]) => ({ sourceNodes: Int32Array.from(nodes) }) as unknown as AssetSkeleton;
    const { clip: joined, sourceNodes } = mergeSkeletonClips(
      { name: 'both', clips: [clip(1, 0, 1), clip(2, 0, 2)], morphs: [] },
      [part(5, 6), part(5, 7, 8)],
    );
    expect(joined).toMatchObject({ name: 'both', duration: 2 });
    expect(joined.tracks.map(({ target }) => sourceNodes[target])).toEqual([5, 6, 8]);
  });
});
