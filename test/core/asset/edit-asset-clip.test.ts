import { describe, expect, it } from 'vitest';
import type { AssetClip } from '../../../src/core/asset/asset.ts';
import { changeAssetClipSpeed, reduceMorphTrack, trimAssetClip } from '../../../src/core/asset/edit-asset-clip.ts';

/** Two skeletons (the second is at rest after 1 s), a face, and a camera animated until 4 s. */
const CLIP: AssetClip = {
  name: 'talk',
  duration: 4,
  clips: [
    {
      name: 'talk',
      duration: 2,
      tracks: [
        {
          target: 0,
          path: 'translation',
          interpolation: 'LINEAR',
          times: new Float32Array([0, 2]),
          values: new Float32Array([0, 0, 0, 2, 4, 6]),
        },
      ],
    },
    { name: 'talk', duration: 0, tracks: [] },
  ],
  morphs: [
    {
      sourceNode: 5,
      nodeName: 'face',
      targetCount: 2,
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 3]),
      values: new Float32Array([0, 0, 0, 0, 1, 1, 1, 1, 3, 0, 0, 0]),
    },
  ],
  otherChannels: 1,
};

describe('trimAssetClip', () => {
  it('trims skeletons and morph targets to the same range', () => {
    const part = trimAssetClip(CLIP, 1, 3.5);
    expect(part.duration).toBe(2.5);
    expect(part.clips.map(({ duration }) => duration)).toEqual([1, 0]);
    expect(Array.from(part.clips[0].tracks[0].values)).toEqual([1, 2, 3, 2, 4, 6]);
    const [face] = part.morphs;
    expect([face.sourceNode, face.nodeName, face.targetCount]).toEqual([5, 'face', 2]);
    expect(Array.from(face.times)).toEqual([0, 2]);
    // The first target is linear from 0 to 3 in 3 s; the second is 3 · (t · (1 − t)² − t² · (1 − t)), here at t = ⅓.
    expect(face.values[2]).toBeCloseTo(1, 12);
    expect(face.values[3]).toBeCloseTo(3 * ((1 / 3) * (2 / 3) ** 2 - (1 / 3) ** 2 * (2 / 3)), 12);
  });

  it('throws like trimClip, for ranges relative to the whole animation', () => {
    expect(() => trimAssetClip(CLIP, 4)).toThrow(RangeError);
    expect(trimAssetClip(CLIP, 3).clips[0].tracks[0].times.length).toBe(1);
  });
});

describe('changeAssetClipSpeed', () => {
  it('changes the speed of all parts, including tangents of morph targets', () => {
    const fast = changeAssetClipSpeed(CLIP, 2);
    expect(fast.duration).toBe(2);
    expect(fast.clips.map(({ duration }) => duration)).toEqual([1, 0]);
    expect(Array.from(fast.morphs[0].times)).toEqual([0, 1.5]);
    expect(Array.from(fast.morphs[0].values)).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 3, 0, 0, 0]);
  });

  it('throws for an invalid factor', () => {
    expect(() => changeAssetClipSpeed(CLIP, 0)).toThrow(RangeError);
  });
});

describe('reduceMorphTrack', () => {
  const face = { sourceNode: 0, nodeName: 'face', targetCount: 2, interpolation: 'LINEAR' } as const;

  it('removes only keys that their neighbors reproduce', () => {
    const times = new Float32Array([0, 1, 2, 3, 4]);
    const values = new Float32Array([0, 1, 0.25, 0.75, 0.5, 0.5, 0.5, 0.501, 0.5, 0.5]);
    const reduced = reduceMorphTrack({ ...face, times, values });
    expect(Array.from(reduced.times)).toEqual([0, 2, 3, 4]);
    expect(Array.from(reduced.values)).toEqual(Array.from(new Float32Array([0, 1, 0.5, 0.5, 0.5, 0.501, 0.5, 0.5])));
  });

  it('keeps one key of a constant track', () => {
    const still = reduceMorphTrack({ ...face, times: new Float32Array([0, 1, 2]), values: new Float32Array(6) });
    expect(Array.from(still.times)).toEqual([0]);
    expect(still.values.length).toBe(2);
  });
});
